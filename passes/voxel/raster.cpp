#include "passes/voxel/raster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kAttachments = 4; // every device has as many
constexpr std::uint32_t kWordsOfAttachment = 4;
constexpr std::uint32_t kWordsOfMap = kAttachments * kWordsOfAttachment;

/// Columns of the grid seen along the axis, as shaders/voxel/raster_axes.glsl has them.
Extent seen_along(glm::uvec3 dims, std::uint32_t axis) {
    if (axis == 0) return {dims.y, dims.z, 1};
    if (axis == 1) return {dims.x, dims.z, 1};
    return {dims.x, dims.y, 1};
}

} // namespace

VoxelGrid draw_voxels(Graph& graph, std::string_view kernel, const TriangleMesh& mesh,
                      const VoxelGrid& grid, std::uint32_t axis, CountsTriangles counts) {
    RasterNodeBuilder node = graph.raster(kernel, fmt::format("along_{}", "xyz"[axis]));
    node.area(seen_along(grid.dims, axis));
    node.specialize("kAxis", axis);
    node.specialize("kCounts", static_cast<std::uint32_t>(counts));
    node.set("dims", grid.dims);
    bind_mesh(node, mesh, grid.frame);
    VoxelGrid drawn = grid;
    drawn.words = node.accumulate("words", grid.words);
    drawn.status = node.accumulate("status", grid.status);
    if (mesh.triangle_count > 0) node.draw({.count = 3 * mesh.triangle_count});
    return drawn;
}

VoxelGrid draw_conservatively(Graph& graph, const TriangleMesh& mesh, const VoxelGrid& grid,
                              std::uint32_t axis, const ConservativeDrawing& how) {
    RasterNodeBuilder node =
        graph.raster("voxel/raster_conservative", fmt::format("along_{}", "xyz"[axis]));
    node.area(seen_along(grid.dims, axis));
    node.state().conservative = !how.dilates;
    node.specialize("kAxis", axis);
    node.specialize("kCounts", std::uint32_t(axis == 2));
    node.specialize("kDilates", std::uint32_t(how.dilates));
    node.specialize("kThin", std::uint32_t(how.thin));
    node.set("dims", grid.dims);
    bind_mesh(node, mesh, grid.frame);
    VoxelGrid drawn = grid;
    drawn.words = node.accumulate("words", grid.words);
    drawn.status = node.accumulate("status", grid.status);
    constexpr std::uint32_t kVertices = 6; // as in the kernel
    if (mesh.triangle_count > 0) node.draw({.count = kVertices * mesh.triangle_count});
    return drawn;
}

VoxelGrid draw_slice_map(Graph& graph, const TriangleMesh& mesh, VoxelGrid grid) {
    const Extent extent = seen_along(grid.dims, 2);
    for (std::uint32_t first = 0; first < grid.row_words(); first += kWordsOfMap) {
        RasterNodeBuilder node = graph.raster("voxel/slicemap", "slice_map");
        node.state().logic = LogicOp::bit_or;
        node.state().depth_test = false;
        std::array<Image, kAttachments> slices;
        for (std::uint32_t i = 0; i < kAttachments; ++i)
            slices[i] = node.color(graph.image(fmt::format("slices_{}", i),
                                               {.format = Format::rgba32_uint, .extent = extent}),
                                   cleared_uint(0));
        node.specialize("kFirstWord", first);
        node.specialize("kCounts", std::uint32_t(first == 0));
        node.set("dims", grid.dims);
        bind_mesh(node, mesh, grid.frame);
        grid.status = node.accumulate("status", grid.status);
        if (mesh.triangle_count > 0) node.draw({.count = 3 * mesh.triangle_count});

        ComputeNodeBuilder gather = graph.compute("voxel/slicemap_words", "gather");
        gather.set("dims", grid.dims);
        gather.set("first_word", first);
        for (std::uint32_t i = 0; i < kAttachments; ++i)
            gather.read(fmt::format("slices_{}", i), slices[i], Sampler::nearest());
        grid.words = gather.write("words", grid.words);
        gather.dispatch_over(extent);
    }
    return grid;
}

} // namespace tuff::passes
