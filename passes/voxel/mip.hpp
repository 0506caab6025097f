#pragma once

#include "passes/voxel/voxelize.hpp"

#include <vector>

namespace tuff::passes {

/// A grid and coarser ones, each with half as many voxels along an axis, rounded up.
struct VoxelPyramid {
    static constexpr std::string_view kPortType = "VoxelPyramid";

    std::vector<Buffer> levels; ///< words as in VoxelGrid; the first is the grid itself
    std::vector<glm::uvec3> dims;
    Buffer frame; ///< of the grid

    explicit operator bool() const { return !levels.empty(); }
    std::vector<PortMember> members() const;
};

/// When a voxel of a coarser level is set.
enum class VoxelCombine : std::uint8_t {
    any, ///< where one of its eight is: outside, nothing is missed
    all, ///< where all are: inside, nothing is empty
};

/// Makes the pyramid of a grid. See `describe`.
struct VoxelMip {
    static constexpr std::string_view kName = "voxel/mip";

    VoxelGrid source;
    VoxelCombine combine = VoxelCombine::any;
    std::uint32_t levels = 0;
    VoxelPyramid pyramid;
    Buffer top; ///< words of the coarsest level

    static void describe(PassInfo<VoxelMip>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::VoxelCombine> {
    static constexpr std::array<std::string_view, 2> names{"any", "all"};
};
