#include "passes/oit/compute.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"
#include "passes/geometry/triangles.hpp"
#include "passes/oit/modes.hpp"
#include "passes/primitives/elements.hpp"
#include "passes/primitives/scan.hpp"
#include "passes/raytrace/surfaces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kBinTile = 16; // pixels a side, as in oit/tile_blend
constexpr std::uint32_t kBin = 128;    // pixels a side, as in oit/tile_bins
constexpr std::uint32_t kRecordWords = 12;
constexpr std::uint32_t kComputeStatusWords = sizeof(OitComputeStatus) / 4;

/// Triangles that the blended draws of a scene have.
std::uint32_t blended_triangles(const SceneData& scene) {
    std::uint32_t count = 0;
    for (const std::uint32_t draw : blended_draws(scene))
        count += scene.draws[draw].index_count / 3;
    return count;
}

/// Whether a blended material needs more than its colour and that of the corners.
bool needs_shading(const SceneData& scene) {
    return std::ranges::any_of(blended_draws(scene), [&](std::uint32_t draw) {
        const SceneMaterial& material = scene.materials[scene.draws[draw].material];
        return (material.flags & material_unlit) == 0 || material.base_color_texture.texture >= 0;
    });
}

/// Room for them and for what they are cut into: eight parts each, where they are few.
std::uint32_t record_room(const Graph& graph, std::uint32_t triangles) {
    const std::uint64_t wanted =
        std::max(std::min(8 * triangles, triangles + triangles / 4 + 4096), 1u);
    return static_cast<std::uint32_t>(graph.pool("triangles", wanted, 4 * kRecordWords));
}

class Blend {
  public:
    Blend(Graph& graph, const OitCompute& pass, const MaterialBatch& batch)
        : graph_(graph), pass_(pass), batch_(batch), extent_(graph.extent(pass.view.color)),
          triangles_(blended_triangles(*pass.scene.data)), room_(record_room(graph, triangles_)),
          across_(div_round_up(extent_.width, kBin)),
          bins_(across_ * div_round_up(extent_.height, kBin)),
          binned_(pass.bins == BinChoice::on ||
                  (pass.bins == BinChoice::automatic && triangles_ > OitCompute::kMaxUnbinned)) {}

    void run(Image& color, Buffer& status) {
        mesh_ = graph_.add(Triangles{.scene = pass_.scene}, "triangles").mesh;
        set_up();
        if (binned_) fill_bins();
        color = blend();
        // What there was, and what there was room for.
        status = count_;
    }

  private:
    void set_up() {
        ComputeNodeBuilder node = graph_.compute("oit/tile_setup", "setup");
        node.specialize("kPacking", std::uint32_t(pass_.packing == FragmentPacking::hdr));
        node.set("view_projection", pass_.view.view_projection);
        node.set("size", glm::uvec2(extent_.width, extent_.height));
        node.set("triangle_count", mesh_.triangle_count);
        node.set("capacity", room_);
        // Cut off at 30000 pixels from the picture's middle.
        node.set("guard", 60000.0f / static_cast<float>(std::max(extent_.width, extent_.height)));
        node.read("positions", mesh_.positions);
        node.read("corners", mesh_.indices);
        node.read("owners", mesh_.draws);
        node.read("draws", pass_.scene.draws);
        node.read("starts", pass_.scene.starts);
        node.read("scene_indices", pass_.scene.indices);
        node.read("vertices", pass_.scene.vertices);
        node.read("materials", pass_.scene.materials);
        records_ =
            node.write("records", array(graph_, "records", std::uint64_t{kRecordWords} * room_));
        colors_ =
            node.write("colors", array(graph_, "colors", std::uint64_t{2} * mesh_.triangle_count));
        count_ = node.accumulate(
            "count", graph_.fill(array(graph_, "status", kComputeStatusWords), 0, "clear"));
        node.dispatch_each(mesh_.triangle_count);
    }

    void fill_bins() {
        const double wanted =
            static_cast<double>(room_) * static_cast<double>(pass_.bin_entries) + 4.0 * bins_;
        bin_room_ = static_cast<std::uint32_t>(
            graph_.pool("bins", static_cast<std::uint64_t>(std::min(wanted, 1e9)), 4));
        const Buffer none = array(graph_, "nothing", 1);
        Buffer counts = graph_.fill(array(graph_, "bin_counts", bins_ + 1), 0, "clear_bins");
        counts = bin_pass("count_bins", 0, counts, pass_.scene.starts, none).counts;
        const Scan starts = graph_.add(
            Scan{.source = counts, .length = static_cast<std::int64_t>(bins_) + 1}, "starts");
        bin_starts_ = starts.result;
        bin_entries_ =
            bin_pass("fill_bins", 1, counts, bin_starts_, array(graph_, "bins", bin_room_)).bins;
        count_ = graph_.copy(starts.total, BufferView(count_, offsetof(OitComputeStatus, bins), 4),
                             "needed");
        count_ = graph_.fill(BufferView(count_, offsetof(OitComputeStatus, bin_room), 4), bin_room_,
                             "room");
    }

    struct Binned {
        Buffer counts;
        Buffer bins;
    };
    Binned bin_pass(std::string_view name, std::uint32_t fills, Buffer counts, Buffer starts,
                    Buffer bins) {
        ComputeNodeBuilder node = graph_.compute("oit/tile_bins", name);
        node.specialize("kFill", fills);
        node.set("bins_across", across_);
        node.set("capacity", bin_room_);
        node.read("records", records_);
        node.read("count", count_);
        node.read("bin_starts", starts);
        Binned made;
        made.counts = node.accumulate("bin_counts", counts);
        made.bins = node.write("bins", bins);
        node.dispatch_each(room_);
        return made;
    }

    Image blend() {
        ComputeNodeBuilder node = graph_.compute("oit/tile_blend", batch_.variant(), "blend");
        bind_view(graph_, node, pass_.view);
        bind_surfaces(graph_, node, pass_.scene, mesh_, batch_);
        node.specialize("kPacking", std::uint32_t(pass_.packing == FragmentPacking::hdr));
        node.specialize("kKeep", pass_.keep);
        node.specialize("kBinned", std::uint32_t(binned_));
        node.specialize("kShaded", std::uint32_t(needs_shading(*pass_.scene.data)));
        node.specialize("kModes", std::uint32_t(std::ranges::any_of(
                                      pass_.modes, [](float mode) { return mode != 0.0f; })));
        const auto modes = packed_modes(pass_.modes);
        node.set("modes", std::span<const glm::uvec4>(modes));
        node.set("size", glm::uvec2(extent_.width, extent_.height));
        node.set("bins_across", across_);
        node.set("bin_capacity", bin_room_);
        node.read("records", records_);
        node.read("colors", colors_);
        node.read("count", count_);
        node.read("bins", binned_ ? bin_entries_ : colors_);
        node.read("bin_starts", binned_ ? bin_starts_ : colors_);
        node.read("background", pass_.view.color, Sampler::nearest());
        node.read("opaque_depth", pass_.view.depth, Sampler::nearest());
        const Image color = node.write(
            "result", graph_.image("color", {.format = Format::rgba16_sfloat, .extent = extent_}));
        node.dispatch(div_round_up(extent_.width, kBinTile),
                      div_round_up(extent_.height, kBinTile));
        return color;
    }

    Graph& graph_;
    const OitCompute& pass_;
    const MaterialBatch& batch_;
    Extent extent_;
    std::uint32_t triangles_;
    std::uint32_t room_;
    std::uint32_t across_;
    std::uint32_t bins_;
    bool binned_;
    std::uint32_t bin_room_ = 0;
    TriangleMesh mesh_;
    Buffer records_;
    Buffer colors_;
    Buffer count_;
    Buffer bin_starts_;
    Buffer bin_entries_;
};

bool is_valid(Graph& graph, const OitCompute& pass) {
    if (graph.desc(pass.view.color).samples != 1) {
        graph.error("oit/samples",
                    fmt::format("the picture has {} samples a pixel, but tiles need one",
                                graph.desc(pass.view.color).samples),
                    "use oit/capture and oit/resolve, which take several");
        return false;
    }
    if (pass.packing != FragmentPacking::standard && pass.packing != FragmentPacking::hdr) {
        graph.error("oit/packing",
                    "this pass stores no fragments: its colors are \"standard\" or \"hdr\"");
        return false;
    }
    if (pass.scene.data->triangle_count() > kMaxTriangles) {
        graph.error("oit/too-many-triangles",
                    fmt::format("the scene has {} triangles, but fragments can only name {}",
                                pass.scene.data->triangle_count(), kMaxTriangles));
        return false;
    }
    return modes_are_valid(graph, pass.modes);
}

} // namespace

OitComputeStatus OitComputeStatus::read(std::span<const std::uint32_t> words) {
    return status_from<OitComputeStatus>(words);
}

Diagnostics OitComputeStatus::warnings() const {
    Diagnostics all;
    if (needed > triangles)
        all.push_back(warning("oit/few-triangles",
                              fmt::format("{} of {} triangles had no room: they are not drawn",
                                          needed - triangles, needed),
                              "too many triangles are clipped at the picture's border: move the "
                              "camera, or use oit/capture"));
    if (bins > bin_room)
        all.push_back(warning("oit/few-bins",
                              fmt::format("{} of {} entries of bins had no room: triangles are "
                                          "missing",
                                          bins - bin_room, bins),
                              "increase \"bin_entries\""));
    return all;
}

std::vector<PoolNeed> OitComputeStatus::pool_needs() const {
    std::vector<PoolNeed> needs;
    if (needed > triangles) needs.push_back({"triangles", needed});
    if (bins > bin_room) needs.push_back({"bins", bins});
    return needs;
}

namespace {

BufferElements status_elements() {
    std::vector<ElementMember> members;
    for (const std::string_view name : {"triangles", "needed", "bins", "bin_room"})
        members.push_back(
            {.name = std::string(name),
             .type = ElementType::u32,
             .count = 1,
             .offset = static_cast<std::uint32_t>(members.size() * sizeof(std::uint32_t))});
    return {"OitComputeStatus", std::move(members), sizeof(OitComputeStatus)};
}

} // namespace

void OitCompute::describe(PassInfo<OitCompute>& info) {
    info.summary("Finds, sorts and blends transparent fragments tile by tile, without lists")
        .details(
            "Use it on devices without fast rasterization. A compute kernel transforms the "
            "triangles and, if there are many, sorts them into bins. Each tile of 16x16 pixels "
            "finds the fragments of its pixels, keeps the nearest \"keep\" in registers, in order, "
            "and blends them front to back. If a pixel has more, its tile goes through its "
            "triangles again behind those. Fragments are never stored in memory. The picture "
            "equals that of oit/capture and oit/resolve except for rounding: vertices are rounded "
            "to 1/256 pixel, coverage is exact by the top-left rule, equal depths are ordered by "
            "triangle, and the result is the same to the bit in any order.\n\nSurfaces are shaded "
            "from the corners of their triangle: textures at their finest level, and highlights "
            "without the filter against sparkling. Pictures with several samples a pixel are "
            "refused. There is room for all triangles of the scene and for some that clipping at "
            "the picture's border adds; bins have room for \"bin_entries\" per triangle. The "
            "status reports triangles kept, triangles needed, and entries of bins needed.")
        .source("Olano and Greer, \"Triangle Scan Conversion using 2D Homogeneous Coordinates\", "
                "Graphics Hardware 1997; Laine and Karras, \"High-Performance Software "
                "Rasterization on GPUs\", HPG 2011")
        .complexity("O(triangles + tiles * triangles of a bin + fragments * keep)");
    info.input("scene", &OitCompute::scene, "the scene whose blended draws are blended");
    info.input("view", &OitCompute::view,
               "the view of scene/mesh_raster with one sample, which leaves out blended materials");
    info.parameter("packing", &OitCompute::packing, "\"standard\" colors of 8 bits, or \"hdr\"")
        .structural();
    info.parameter("keep", &OitCompute::keep, "fragments of a pixel kept at a time")
        .range(1, kMaxKept)
        .structural();
    info.parameter("bins", &OitCompute::bins,
                   "sorts triangles into bins; \"auto\": if there are many")
        .structural();
    info.parameter("bin_entries", &OitCompute::bin_entries,
                   "average number of bins that a triangle lies in")
        .range(1.0, 1024.0)
        .structural();
    info.parameter("modes", &OitCompute::modes, "how each material blends, as in oit/capture")
        .range(0, 3)
        .structural();
    info.output("color", &OitCompute::color, "the picture with the fragments, rgba16_sfloat");
    info.output("status", &OitCompute::status, "four words: OitComputeStatus")
        .elements(status_elements());
}

void OitCompute::build(Graph& graph) {
    const Extent extent = view.color ? graph.extent(view.color) : Extent{1, 1, 1};
    color = graph.image("color", {.format = Format::rgba16_sfloat, .extent = extent});
    status = array(graph, "status", kComputeStatusWords);
    if (!is_valid(graph, *this)) return;
    const auto batches = material_batches(graph, *scene.data, MaterialPasses::single);
    if (batches.empty()) return;
    Blend(graph, *this, batches.front()).run(color, status);
    graph.status<OitComputeStatus>(status);
}

TUFF_PASS(OitCompute)

} // namespace tuff::passes
