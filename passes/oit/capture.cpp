#include "passes/oit/capture.hpp"

#include "passes/oit/modes.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>
#include <glm/vec4.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kStatusWords = sizeof(OitStatus) / 4;

/// What the fragment stage does.
enum class Stage : std::uint8_t { list, count, fill };

struct Targets {
    Buffer heads;
    Buffer offsets; ///< Stage::fill only
    Buffer fragments;
    Buffer status;
};

std::vector<std::uint32_t> draws_of(const OitCapture& pass) {
    if (pass.nothing) return {};
    return pass.draws.empty() ? blended_draws(*pass.scene.data) : pass.draws;
}

class Capture {
  public:
    Capture(Graph& graph, const OitCapture& pass, const FragmentLists& lists)
        : graph_(graph), pass_(pass), lists_(lists), draws_(draws_of(pass)) {}

    FragmentLists linked() {
        FragmentLists lists = begin();
        const Buffer heads =
            pass_.reuse ? pass_.reuse.heads : array(graph_, "heads", most_pixels());
        lists.heads = graph_.fill(heads, 0xffffffffu, "clear_heads");
        if (draws_.empty()) return with_something(lists);
        const Targets drawn = draw(Stage::list, {lists.heads, {}, lists.fragments, lists.status});
        lists.heads = drawn.heads;
        lists.fragments = drawn.fragments;
        lists.status = drawn.status;
        return lists;
    }

    FragmentLists arrays() {
        FragmentLists lists = begin();
        const Buffer counts = pass_.reuse ? graph_.fill(pass_.reuse.heads, 0, "clear_counts")
                                          : no_fragments(graph_, most_pixels());
        if (draws_.empty()) {
            lists.heads = counts;
            return with_something(lists);
        }
        const Targets counted =
            draw(Stage::count, {counts, {}, array(graph_, "nothing", 1), lists.status});
        const ListHeads offsets = heads_of_counts(graph_, counted.heads, lists_.area.pixels());
        BufferView first = status_of(counted.status);
        first.range.size = 4;
        const Buffer demand = graph_.copy(offsets.total, first, "demand");
        const Targets filled =
            draw(Stage::fill, {counted.heads, offsets.heads, lists.fragments, demand});
        lists.heads = offsets.heads;
        lists.fragments = filled.fragments;
        lists.status = filled.status;
        return lists;
    }

  private:
    /// Of the largest rectangle that the buffers are meant for.
    std::uint64_t most_pixels() const {
        return pass_.largest ? PixelRectangle{.origin = {}, .size = *pass_.largest}.pixels()
                             : lists_.area.pixels();
    }

    BufferView status_of(Buffer words) const {
        BufferView view(words);
        view.range = status_;
        return view;
    }

    /// Lists without fragments.
    FragmentLists begin() {
        FragmentLists lists = lists_;
        lists.fragments = pass_.reuse ? pass_.reuse.fragments : fragment_buffer(graph_, lists);
        const BufferView status =
            pass_.status.buffer ? pass_.status : array(graph_, "status", kStatusWords);
        status_ = status.range;
        lists.status = pass_.status.buffer ? status.buffer : graph_.fill(status, 0, "clear_status");
        return lists;
    }

    /// Where nothing is drawn, nobody has written the fragments, and nobody looks at them.
    FragmentLists with_something(FragmentLists lists) const {
        lists.fragments = graph_.fill(lists.fragments, 0, "no_fragments");
        lists.capacity = 0;
        return lists;
    }

    Targets draw(Stage stage, Targets targets) {
        const bool samples = lists_.rate == CaptureRate::sample && lists_.samples > 1;
        static constexpr std::string_view kNames[] = {"list", "count", "fill"};
        RasterNodeBuilder node = graph_.raster("oit/capture", {{"EACH_SAMPLE", samples}},
                                               kNames[static_cast<std::size_t>(stage)]);
        node.depth_test_only(pass_.view.depth);
        node.state().depth_write = false;
        const PixelRectangle& seen = lists_.area;
        node.scissor({seen.origin.x, seen.origin.y, seen.size.x, seen.size.y});
        specialize_fragments(node, lists_);
        node.specialize("kCounts", std::uint32_t(stage == Stage::count));
        node.specialize("kAggregates", std::uint32_t(graph_.target().type != DeviceType::cpu));
        bind_view(graph_, node, pass_.view);
        node.read("starts", pass_.scene.starts);
        node.read_optional("offsets", targets.offsets);
        targets.heads = node.accumulate("heads", targets.heads);
        targets.fragments = node.write("fragments", targets.fragments);
        targets.status = node.accumulate("status", status_of(targets.status));
        set_lists(node);
        draw_scene(graph_, node, pass_.scene, draws_, kMeshTextures, Faces::as_material_says,
                   Fetch::pulled);
        return targets;
    }

    void set_lists(RasterNodeBuilder& node) const {
        node.set("origin", lists_.area.origin);
        node.set("size", lists_.area.size);
        node.set("capacity", lists_.capacity);
        node.set("depths", lists_.depths);
        const auto modes = packed_modes(pass_.modes);
        node.set("modes", std::span<const glm::uvec4>(modes));
    }

    Graph& graph_;
    const OitCapture& pass_;
    FragmentLists lists_;
    std::vector<std::uint32_t> draws_;
    Range status_; ///< of the status in its buffer
};

bool is_valid(Graph& graph, const OitCapture& pass) {
    if (!modes_are_valid(graph, pass.modes)) return false;
    if (!(pass.pool.depths.x < pass.pool.depths.y)) {
        graph.error("pass/out-of-range",
                    fmt::format("\"pool.depths\" reaches from {} to {}, which is not a range",
                                pass.pool.depths.x, pass.pool.depths.y));
        return false;
    }
    const std::uint64_t triangles = pass.scene.data->triangle_count();
    if (triangles > kMaxTriangles) {
        graph.error("oit/too-many-triangles",
                    fmt::format("the scene has {} triangles, but fragments can only name {}",
                                triangles, kMaxTriangles));
        return false;
    }
    const bool tight = pass.pool.packing == FragmentPacking::tight;
    if (tight &&
        (graph.desc(pass.view.depth).samples > 1 || pass.layout == FragmentLayout::arrays)) {
        graph.error("oit/packing", "\"tight\" fragments have no samples, and work with lists only",
                    "use \"compact\", the next larger packing");
        return false;
    }
    return true;
}

} // namespace

std::optional<std::uint32_t> pool_capacity(Graph& graph, const FragmentPool& pool,
                                           FragmentLayout layout, glm::uvec2 size,
                                           std::uint32_t samples) {
    const double pixels =
        static_cast<double>(size.x) * size.y * (pool.rate == CaptureRate::sample ? samples : 1u);
    const double wanted = pool.capacity >= 0 ? static_cast<double>(pool.capacity)
                                             : std::ceil(pixels * static_cast<double>(pool.layers));
    const FragmentPayload payload = payload_of(pool.packing);
    const auto most = static_cast<double>(most_fragments(graph, payload, layout));
    if (wanted <= most)
        return fragment_room(graph, payload, layout, static_cast<std::uint64_t>(wanted));
    graph.error("oit/pool-too-large",
                fmt::format("the pool would hold {:.0f} fragments, but a buffer holds at most "
                            "{:.0f}",
                            wanted, most),
                "use a smaller packing, or oit/tiled, which renders one part of the picture at a "
                "time");
    return {};
}

void OitCapture::describe(PassInfo<OitCapture>& info) {
    info.summary("Captures the fragments of a scene's blended materials for each pixel")
        .details(
            "Use it before oit/resolve or another pass that blends fragments. It draws blended "
            "materials in any order, without a color target, and keeps every fragment that no "
            "opaque surface hides: shaded as in scene/mesh_raster, with its depth and its "
            "triangle. \"linked\" lists take one pass and one more word for each fragment. "
            "\"arrays\" draw twice, first to count; a prefix sum of the counts gives the place of "
            "each pixel's fragments.\n\nFragments beyond the capacity are dropped, and the lists "
            "stay valid: the first word of the status is the capacity needed, the second the "
            "number of lost fragments. A graph that runs for several frames gets that capacity "
            "after the first frames. Alpha is clamped to [0, 1], and so are colors without "
            "\"hdr\". NaN counts as 0, and fragments whose depth is NaN are dropped and counted. A "
            "scene without blended materials gives empty lists.\n\n\"modes\" has for each "
            "material, by its number in the scene, how its fragments are blended: 0 over, 1 added, "
            "2 multiplied, 3 over with premultiplied alpha.")
        .source("Yang et al., \"Real-Time Concurrent Linked List Construction on the GPU\", EGSR "
                "2010; Thibieroz, \"Order-Independent Transparency using Per-Pixel Linked Lists\", "
                "GPU Pro 2, 2011")
        .complexity("O(triangles + fragments)");
    info.input("scene", &OitCapture::scene, "the scene whose blended draws are captured");
    info.input("view", &OitCapture::view,
               "the view of scene/mesh_raster, which leaves out blended materials");
    info.parameter("layout", &OitCapture::layout, "lists, or arrays with a second pass")
        .structural();
    info.group("pool", &OitCapture::pool);
    info.parameter("modes", &OitCapture::modes, "how each material blends, one number each")
        .range(0, 3);
    info.output("lists", &OitCapture::lists, "the fragments of every pixel, unordered");
}

void OitCapture::build(Graph& graph) {
    if (!is_valid(graph, *this)) return;
    const ImageDesc target = graph.desc(view.depth);
    lists.area =
        area ? *area
             : PixelRectangle{.origin = {}, .size = {target.extent.width, target.extent.height}};
    lists.samples = target.samples;
    lists.payload = payload_of(pool.packing);
    lists.layout = layout;
    lists.rate = pool.rate;
    const float scale = 1.0f / (pool.depths.y - pool.depths.x);
    lists.depths = {scale, -pool.depths.x * scale};
    const auto room =
        pool_capacity(graph, pool, layout, largest.value_or(lists.area.size), target.samples);
    if (!room) return;
    lists.capacity = *room;
    Capture capture(graph, *this, lists);
    lists = layout == FragmentLayout::linked ? capture.linked() : capture.arrays();
    graph.status<OitStatus>(lists.status);
}

TUFF_PASS(OitCapture)

} // namespace tuff::passes
