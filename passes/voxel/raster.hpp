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

} // namespace tuff::passes
