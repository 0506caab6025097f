#include "passes/geometry/tile_bins.hpp"

#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"
#include "passes/geometry/raster_stages.hpp"
#include "passes/primitives/radix_sort.hpp"
#include "passes/primitives/scan.hpp"

#include <algorithm>
#include <bit>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxEntries = 1u << 28;

std::uint32_t shift_of(TileSide side) {
    return static_cast<std::uint32_t>(side) + 3;
}

/// Entries that there is room for unless that is said: two a triangle and two a tile, and some.
std::uint32_t capacity_of(const Graph& graph, const TileBins& pass, std::uint64_t tiles) {
    const std::uint64_t usual = 2 * (pass.mesh.triangle_count + tiles) + 4096;
    const std::uint64_t wanted =
        pass.capacity > 0 ? pass.capacity : std::min<std::uint64_t>(usual, kMaxEntries);
    const std::uint64_t grown = graph.pool("entries", wanted, 2 * sizeof(std::uint32_t));
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(grown, kMaxEntries));
}

/// A node about triangles and the tiles that they meet.
ComputeNodeBuilder begin(Graph& graph, const RasterInput& input, Buffer screen, TileSide side,
                         std::string_view shader) {
    ComputeNodeBuilder node = raster_node(graph, input, shader);
    node.specialize("kTileShift", shift_of(side));
    node.read("screen", screen);
    node.read("indices", input.mesh.indices);
    node.read("positions", input.mesh.positions);
    node.dispatch_each(input.mesh.triangle_count);
    return node;
}

} // namespace

TileBinsStatus TileBinsStatus::read(std::span<const std::uint32_t> words) {
    return status_from<TileBinsStatus>(words);
}

Diagnostics TileBinsStatus::warnings() const {
    Diagnostics all;
    if (overflowed > 0)
        all.push_back(warning("raster/full-bins",
                              fmt::format("the bins need {} entries, but have room for {}: the "
                                          "last triangles are missing",
                                          needed, stored),
                              fmt::format("set \"capacity\" to {}", needed)));
    return all;
}

std::vector<PoolNeed> TileBinsStatus::pool_needs() const {
    if (overflowed == 0) return {};
    return {{"entries", needed}};
}

void TileBins::describe(PassInfo<TileBins>& info) {
    info.summary("Lists the triangles that may cover pixels of each tile of a picture")
        .details(
            "Use it for passes that draw one tile at a time in shared memory. A triangle is in the "
            "list of a tile unless its box contains no pixel center of the tile, or all of these "
            "centers lie outside one of its edges. The test is exact, in integers, as "
            "geometry/compute_raster draws. Entries are counted for each triangle, written in "
            "triangle order, and sorted by tile with a stable sort, so the result is the same in "
            "every run.\n\n\"bins.status\" has the number of entries. If there are more than "
            "\"capacity\", the triangles with the highest numbers are missing.")
        .source("Laine and Karras, \"High-Performance Software Rasterization on GPUs\", HPG 2011")
        .complexity("O(vertices + triangles + entries)")
        .cost([](const TileBins& pass, const Graph&) {
            return Cost{.bytes = 28.0 * pass.mesh.vertex_count + 32.0 * pass.mesh.triangle_count +
                                 40.0 * pass.bins.capacity,
                        .operations = 200.0 * pass.mesh.triangle_count};
        });
    info.input("mesh", &TileBins::mesh, "the triangles");
    info.optional_input("scene", &TileBins::scene,
                        "the scene that the camera orbits or comes from");
    info.parameter("width", &TileBins::width, "width of the picture")
        .range(1, kMaxRasterSide)
        .unit("texels")
        .structural();
    info.parameter("height", &TileBins::height, "height of the picture")
        .range(1, kMaxRasterSide)
        .unit("texels")
        .structural();
    info.group("camera", &TileBins::camera);
    info.parameter("cull", &TileBins::cull,
                   "faces to cull; front faces are counter-clockwise on the screen");
    info.parameter("side", &TileBins::side, "side of a tile, in pixels").structural();
    info.parameter("capacity", &TileBins::capacity,
                   "room for entries; 0: two a triangle and two a tile")
        .range(0, kMaxEntries)
        .structural();
    info.output("bins", &TileBins::bins, "the triangles of each tile");
}

void TileBins::build(Graph& graph) {
    std::optional<RasterInput> input =
        raster_input(graph, mesh, scene, {}, width, height, camera, clip_from_mesh, cull, 0);
    if (!input) return;
    bins = {.mesh = mesh,
            .clip_from_mesh = input->clip_from_mesh,
            .width = width,
            .height = height,
            .side = 1u << shift_of(side)};
    const std::uint32_t tiles = bins.tiles_x() * bins.tiles_y();
    bins.capacity = input->capacity = capacity_of(graph, *this, tiles);
    bins.screen = placed_vertices(graph, *input);

    ComputeNodeBuilder counting = begin(graph, *input, bins.screen, side, "geometry/tile_counts");
    const Buffer counts = counting.write("counts", array(graph, "counts", mesh.triangle_count));
    const Scan sums =
        graph.add(Scan{.source = counts, .length = static_cast<std::int64_t>(mesh.triangle_count)});

    ComputeNodeBuilder pairs = begin(graph, *input, bins.screen, side, "geometry/tile_pairs");
    pairs.read("offsets", sums.result);
    const Buffer keys = pairs.write("tile_list", array(graph, "tile_list", bins.capacity));
    const Buffer values = pairs.write("triangles", array(graph, "triangles", bins.capacity));

    ComputeNodeBuilder total = graph.compute("geometry/fragment_total", "total");
    total.set("capacity", bins.capacity);
    total.read("total", sums.total);
    bins.status = total.write("status", array(graph, "status", TileBinsStatus::kWords));
    bins.count = total.write("count", array(graph, "count", 1));
    total.dispatch(1);
    graph.status<TileBinsStatus>(bins.status);

    const RadixSort sorted =
        graph.add(RadixSort{.keys = keys,
                            .values = values,
                            .count = bins.count,
                            .end_bit = std::max(1, static_cast<int>(std::bit_width(tiles - 1)))});
    bins.triangles = sorted.sorted_values;

    ComputeNodeBuilder ranges = graph.compute("geometry/tile_ranges");
    ranges.set("tiles", tiles);
    ranges.read("count", bins.count);
    ranges.read("sorted", sorted.sorted_keys);
    bins.offsets = ranges.write("offsets", array(graph, "offsets", std::uint64_t{tiles} + 1));
    ranges.dispatch_each(tiles + 1);
}

TUFF_PASS(TileBins)

} // namespace tuff::passes
