#pragma once

#include "passes/voxel/voxelize.hpp"

#include <string_view>

namespace tuff::passes {

/// Draws the mesh along `axis` (0: x, 1: y, 2: z), without attachments, into the grid's words with
/// the fragment shader of `kernel`, and counts what is left out if `counts` says so. Returns the
/// grid with the new versions; draws into one version are unordered among themselves.
enum class CountsTriangles : bool { no, yes };
VoxelGrid draw_voxels(Graph& graph, std::string_view kernel, const TriangleMesh& mesh,
                      const VoxelGrid& grid, std::uint32_t axis, CountsTriangles counts);

/// Draws those triangles that look most along `axis`, with fragments that set all voxels that they
/// meet. Triangles are counted where the axis is z.
struct ConservativeDrawing {
    bool dilates = true; ///< larger triangles; otherwise the device rasterizes conservatively
    bool thin = false;   ///< SurfaceSeparation::thin
};
VoxelGrid draw_conservatively(Graph& graph, const TriangleMesh& mesh, const VoxelGrid& grid,
                              std::uint32_t axis, const ConservativeDrawing& how);

/// Draws the mesh along z into attachments whose bits are voxels, and gathers these.
VoxelGrid draw_slice_map(Graph& graph, const TriangleMesh& mesh, VoxelGrid grid);

} // namespace tuff::passes
