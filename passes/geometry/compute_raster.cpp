#include "passes/geometry/compute_raster.hpp"

#include "passes/common/warning.hpp"
#include "passes/geometry/raster_stages.hpp"

#include <algorithm>
#include <cassert>

namespace tuff::passes {
namespace {

bool draws_wide(const Graph& graph, RasterAtomics atomics) {
    return atomics == RasterAtomics::wide ||
           (atomics == RasterAtomics::automatic && graph.target().int64_buffer_atomics);
}

/// The keys, drawn with one kernel.
Buffer drawn(RasterStages& stages, std::string_view kernel, Buffer keys) {
    Buffer result;
    stages.draw(kernel, [&](ComputeNodeBuilder& node) { result = node.accumulate("keys", keys); });
    return result;
}

} // namespace

RasterStatus RasterStatus::read(std::span<const std::uint32_t> words) {
    assert(words.size() >= 9);
    return {.needed = words[0],
            .stored = words[1],
            .overflowed = words[2],
            .degenerate = words[3],
            .not_finite = words[4],
            .bad_index = words[5],
            .clipped = words[6],
            .large = words[7],
            .unshared = words[8]};
}

Diagnostics RasterStatus::warnings() const {
    Diagnostics all;
    if (overflowed > 0)
        all.push_back(warning("raster/full-lists",
                              fmt::format("there are {} fragments, but room for {}: pixels whose "
                                          "fragments did not all fit have none",
                                          needed, stored),
                              fmt::format("set \"capacity\" to {}", needed)));
    warn_of_bad_triangles(all, "raster/bad-triangles", not_finite, bad_index);
    if (unshared > 0)
        all.push_back(warning("raster/few-parts",
                              fmt::format("{} large triangles had no room in the list of parts: "
                                          "the picture is right, but slow",
                                          unshared),
                              "increase \"parts\""));
    return all;
}

std::vector<PoolNeed> RasterStatus::pool_needs() const {
    if (overflowed == 0) return {};
    return {{"fragments", needed}};
}

void ComputeRaster::describe(PassInfo<ComputeRaster>& info) {
    info.summary("Finds the nearest triangle of each pixel in compute kernels")
        .details(
            "Use it on devices that compute faster than they rasterize. Each group sets up 128 "
            "triangles and distributes their pixels; triangles of more than 2048 pixels are cut "
            "into blocks of 32x32 for many groups. Depth and triangle number of a pixel form one "
            "key of 64 bits, and the least key stays: the nearest triangle and, at equal depth, "
            "the one of least number, the same in every run. Without 64-bit atomics everything is "
            "drawn twice, first depths, then numbers, to the same bits.\n\nVertices are rounded to "
            "1/256 pixel. From there on coverage is exact, by the top-left rule: a pixel on an "
            "edge that triangles share belongs to one of them. Triangles are clipped at the near "
            "and the far plane, and 32768 pixels from the picture's corner. Triangles without "
            "area, with coordinates that are not finite or with indices out of range are left out "
            "and counted in \"visibility.status\". Vertex attributes are not interpolated: the "
            "shading pass reads them from the pixel's triangle.")
        .source("Pineda, \"A Parallel Algorithm for Polygon Rasterization\", SIGGRAPH 1988; Laine "
                "and Karras, \"High-Performance Software Rasterization on GPUs\", HPG 2011; Karis, "
                "Stubbe and Wihlidal, \"Nanite\", SIGGRAPH 2021 courses")
        .complexity("O(vertices + triangles + pixels of their boxes)")
        .cost([](const ComputeRaster& pass, const Graph&) {
            const double pixels = static_cast<double>(pass.width) * pass.height;
            return Cost{.bytes = 28.0 * pass.mesh.vertex_count + 12.0 * pass.mesh.triangle_count +
                                 24.0 * pixels,
                        .operations = 30.0 * pass.mesh.vertex_count +
                                      150.0 * pass.mesh.triangle_count + 20.0 * pixels};
        });
    describe_raster(info);
    info.parameter("atomics", &ComputeRaster::atomics,
                   "\"wide\": 64 bits, drawing once; \"words\": 32 bits, drawing twice; the "
                   "picture is the same")
        .structural();
    info.output("visibility", &ComputeRaster::visibility, "triangle and depth of each pixel");
    info.output("depth", &ComputeRaster::depth,
                "r32_sfloat: 0 near, 1 far or nothing; linear on the screen");
    info.output("triangles", &ComputeRaster::triangles,
                "r32_uint: index of the nearest triangle; all bits set where there is none");
}

void ComputeRaster::build(Graph& graph) {
    const std::optional<RasterInput> input = raster_input(graph, *this);
    if (!input) return;
    const Extent extent{width, height, 1};
    depth = graph.image("depth", {.format = Format::r32_sfloat, .extent = extent});
    triangles = graph.image("triangles", {.format = Format::r32_uint, .extent = extent});
    if (atomics == RasterAtomics::wide && !graph.target().int64_buffer_atomics) {
        graph.error("raster/no-wide-atomics", "the device has no 64-bit atomics",
                    "set \"atomics\" to \"auto\", which takes what the device has");
        return;
    }

    const std::uint64_t pixels = std::uint64_t{width} * height;
    const Buffer nothing =
        graph.fill(graph.buffer("keys", {.size = 8 * pixels, .stride = 8}), ~0u, "clear_keys");
    RasterStages stages(graph, *input);
    const Buffer keys = draws_wide(graph, atomics)
                            ? drawn(stages, "keys", nothing)
                            : drawn(stages, "numbers", drawn(stages, "depths", nothing));
    visibility = {.keys = keys,
                  .status = stages.status(),
                  .mesh = mesh,
                  .clip_from_mesh = input->clip_from_mesh,
                  .width = width,
                  .height = height};
    graph.status<RasterStatus>(visibility.status);

    ComputeNodeBuilder node = graph.compute("geometry/visibility_images", "images");
    node.set("size", glm::uvec2(width, height));
    node.read("keys", visibility.keys);
    depth = node.write("depth", depth);
    triangles = node.write("triangles", triangles);
    node.dispatch_over(extent);
}

TUFF_PASS(ComputeRaster)

} // namespace tuff::passes
