#include "passes/voxel/raster.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

/// Columns of the grid seen along the axis, as shaders/include/voxel/raster_axes.glsl has them.
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

} // namespace tuff::passes
