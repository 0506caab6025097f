#include "passes/geometry/raster_stages.hpp"
#include "passes/primitives/scan.hpp"

#include <algorithm>

namespace tuff::passes {
namespace {

constexpr std::uint64_t kRasterFragmentBytes = 8;
constexpr std::uint64_t kDefaultLayers = 8;

/// Fragments that there is room for: as many as asked for or, unless that is said, eight a pixel
/// as far as a buffer of the device holds them.
std::uint32_t capacity_of(const Graph& graph, const CaptureFragments& pass) {
    const std::uint64_t most = graph.target().max_storage_buffer_bytes / kRasterFragmentBytes;
    const std::uint64_t wanted = pass.capacity > 0
                                     ? pass.capacity
                                     : std::min(kDefaultLayers * pass.width * pass.height, most);
    const std::uint64_t grown = graph.pool("fragments", wanted, kRasterFragmentBytes);
    return static_cast<std::uint32_t>(std::min(grown, std::uint64_t{kMaxFragments}));
}

bool fits_a_buffer(Graph& graph, std::uint32_t capacity) {
    const std::uint64_t bytes = kRasterFragmentBytes * capacity;
    if (bytes <= graph.target().max_storage_buffer_bytes) return true;
    graph.error("raster/too-large",
                fmt::format("{} fragments take {} bytes, and a buffer of the device at most {}",
                            capacity, bytes, graph.target().max_storage_buffer_bytes),
                "give \"capacity\" a smaller number");
    return false;
}

} // namespace

void CaptureFragments::describe(PassInfo<CaptureFragments>& info) {
    info.summary("Lists all fragments of all triangles, pixel by pixel")
        .details(
            "Triangles become fragments as in geometry/compute_raster, to the same bits. They are "
            "drawn twice: first to count the fragments of each pixel; the running sum says where "
            "each pixel's begin; then to write them there. The order within a pixel depends on "
            "timing, but no two fragments of a pixel have the same depth and triangle, so that "
            "sorting by both is the same in every run.\n\n"
            "\"lists.status\" tells how many fragments there are. Where they are more than "
            "\"capacity\", pixels whose fragments do not all fit count as empty; nothing is "
            "written out of bounds. From 2^32 fragments on the lists are wrong.")
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
                   "fragments that there is room for, of 8 bytes each; 0: eight a pixel, or as "
                   "many as a buffer of the device holds")
        .range(0, kMaxFragments)
        .unit("fragments")
        .structural();
    info.output("lists", &CaptureFragments::lists, "the fragments");
}

void CaptureFragments::build(Graph& graph) {
    std::optional<RasterInput> input = raster_input(graph, *this);
    if (!input) return;
    const std::uint32_t room = capacity_of(graph, *this);
    if (!fits_a_buffer(graph, room)) return;
    lists = {.mesh = mesh,
             .clip_from_mesh = input->clip_from_mesh,
             .width = width,
             .height = height,
             .capacity = room};

    const std::uint64_t pixels = std::uint64_t{width} * height;
    Buffer counts = graph.fill(array(graph, "counts", pixels + 1), 0, "clear_counts");
    RasterStages stages(graph, *input);
    stages.draw("count", [&, none = counts](ComputeNodeBuilder& node) {
        counts = node.accumulate("counts", none);
    });
    const Scan sums =
        graph.add(Scan{.source = counts, .length = static_cast<std::int64_t>(pixels + 1)});
    lists.offsets = sums.result;
    lists.fragments = graph.buffer(
        "fragments",
        {.size = std::max<std::uint64_t>(lists.capacity, 1) * kRasterFragmentBytes, .stride = 8});
    ComputeNodeBuilder total = graph.compute("geometry/fragment_total", "total");
    total.set("capacity", lists.capacity);
    total.read("total", sums.total);
    lists.status = total.write("status", stages.status());
    lists.count = total.write("count", array(graph, "count", 1));
    total.dispatch(1);
    graph.status<RasterStatus>(lists.status);

    stages.draw("fill", [&, all = counts](ComputeNodeBuilder& node) {
        node.read("offsets", lists.offsets);
        node.read("stored", lists.count);
        counts = node.accumulate("counts", all);
        lists.fragments = node.write("fragments", lists.fragments);
    });
}

TUFF_PASS(CaptureFragments)

} // namespace tuff::passes
