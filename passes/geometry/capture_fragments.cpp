#include "passes/geometry/fragment_lists.hpp"
#include "passes/geometry/raster_stages.hpp"

#include <algorithm>

namespace tuff::passes {
namespace {

constexpr std::uint64_t kDefaultLayers = 8;
constexpr FragmentPayload kCaptured = FragmentPayload::triangle;

std::uint64_t most_captured(const Graph& graph) {
    return most_fragments(graph, kCaptured, FragmentLayout::arrays);
}

/// Fragments that are asked for: without a number eight a pixel, as far as a buffer of the device
/// holds them.
std::uint64_t wanted_fragments(const Graph& graph, const CaptureFragments& pass) {
    if (pass.capacity > 0) return pass.capacity;
    return std::min(kDefaultLayers * pass.width * pass.height, most_captured(graph));
}

bool fits_a_buffer(Graph& graph, std::uint64_t wanted) {
    if (wanted <= most_captured(graph)) return true;
    const std::uint64_t bytes = std::uint64_t{4} * words_of(kCaptured, FragmentLayout::arrays);
    graph.error("raster/too-large",
                fmt::format("{} fragments take {} bytes, but a buffer of the device holds at most "
                            "{}",
                            wanted, bytes * wanted, graph.target().max_storage_buffer_bytes),
                "decrease \"capacity\"");
    return false;
}

} // namespace

FragmentLists capture_triangles(Graph& graph, const RasterInput& input, std::uint32_t room) {
    FragmentLists lists{.payload = kCaptured,
                        .layout = FragmentLayout::arrays,
                        .capacity = room,
                        .area = {.origin = {}, .size = {input.width, input.height}},
                        .mesh = input.mesh,
                        .clip_from_mesh = input.clip_from_mesh};
    const std::uint64_t pixels = lists.area.pixels();
    Buffer counts = no_fragments(graph, pixels);
    RasterStages stages(graph, input);
    stages.draw("count", [&, none = counts](ComputeNodeBuilder& node) {
        counts = node.accumulate("counts", none);
    });
    const ListHeads heads = heads_of_counts(graph, counts, pixels);
    lists.heads = heads.heads;
    lists.fragments = fragment_buffer(graph, lists);
    ComputeNodeBuilder total = graph.compute("geometry/fragment_total", "total");
    total.set("capacity", lists.capacity);
    total.read("total", heads.total);
    lists.status = total.write("status", stages.status());
    lists.count = total.write("count", array(graph, "count", 1));
    total.dispatch(1);

    stages.draw("fill", [&, all = counts](ComputeNodeBuilder& node) {
        node.read("offsets", lists.heads);
        node.read("stored", lists.count);
        counts = node.accumulate("counts", all);
        lists.fragments = node.write("fragments", lists.fragments);
    });
    return lists;
}

void CaptureFragments::describe(PassInfo<CaptureFragments>& info) {
    info.summary("Captures all fragments of all triangles for each pixel")
        .details(
            "Triangles are rasterized as in geometry/compute_raster, to the same bits. They are "
            "drawn twice: first to count the fragments of each pixel; a prefix sum gives the place "
            "of each pixel's list; then to write the fragments. The order within a pixel depends "
            "on timing, but no two fragments of a pixel have the same depth and triangle, so "
            "sorting by both gives the same order in every run.\n\n\"lists.status\" has the number "
            "of fragments. If there are more than \"capacity\", pixels whose fragments do not all "
            "fit count as empty; nothing is written out of bounds. From 2^32 fragments on the "
            "lists are wrong.")
        .source("Lipowski, \"Multi-layered Framebuffer Condensation: The l-buffer Concept\", ICCVG "
                "2010 (counted lists); see also geometry/compute_raster")
        .complexity("O(vertices + triangles + pixels + fragments)")
        .cost([](const CaptureFragments& pass, const Graph&) {
            // Of fragments nobody knows how many there will be: their room.
            const double pixels = static_cast<double>(pass.width) * pass.height;
            return Cost{.bytes = 28.0 * pass.mesh.vertex_count + 24.0 * pass.mesh.triangle_count +
                                 24.0 * pixels + 8.0 * pass.lists.capacity,
                        .operations = 300.0 * pass.mesh.triangle_count};
        });
    describe_raster(info);
    info.parameter("capacity", &CaptureFragments::capacity,
                   "room for fragments, 8 bytes each; 0: eight a pixel, or as many as a buffer of "
                   "the device holds")
        .range(0, kMaxFragments)
        .unit("fragments")
        .structural();
    info.output("lists", &CaptureFragments::lists, "the fragments");
}

void CaptureFragments::build(Graph& graph) {
    std::optional<RasterInput> input = raster_input(graph, *this);
    if (!input) return;
    const std::uint64_t wanted = wanted_fragments(graph, *this);
    if (!fits_a_buffer(graph, wanted)) return;
    const std::uint32_t room = fragment_room(graph, kCaptured, FragmentLayout::arrays, wanted);
    lists = capture_triangles(graph, *input, room);
    graph.status<RasterStatus>(lists.status);
}

TUFF_PASS(CaptureFragments)

} // namespace tuff::passes
