#include "passes/voxel/voxel_grid.hpp"

#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"

#include <fmt/format.h>

#include <bit>

namespace tuff::passes {

static_assert(sizeof(VoxelStatus) <= 4 * kVoxelStatusWords);
static_assert(std::endian::native == std::endian::little, "`voxels` is two words of kernels");

VoxelStatus VoxelStatus::read(std::span<const std::uint32_t> words) {
    return status_from<VoxelStatus>(words);
}

Diagnostics VoxelStatus::warnings() const {
    Diagnostics all;
    if (open_columns > 0)
        all.push_back(warning("voxel/open-mesh",
                              fmt::format("{} columns enter the mesh without leaving it, or leave "
                                          "it without entering it",
                                          open_columns),
                              "close the mesh, or choose the method \"majority\" or \"winding\""));
    warn_of_bad_triangles(all, "voxel/bad-triangles", non_finite, bad_index);
    if (too_far > 0)
        all.push_back(warning(
            "voxel/too-far",
            fmt::format("{} triangles reach farther than 10^9 voxels: they are left out", too_far),
            "split them, or give the grid fewer voxels"));
    return all;
}

} // namespace tuff::passes
