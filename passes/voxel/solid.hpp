#pragma once

#include "passes/voxel/voxelize.hpp"

namespace tuff::passes {

/// What counts as inside, and how it is found.
enum class SolidMethod : std::uint8_t {
    parity,   ///< an odd number of triangles is above the voxel's middle; two phases
    majority, ///< parity along two of the three axes
    winding,  ///< the triangles above wind around the middle: they are not as many up as down
    raster,   ///< parity, by drawing along z
};

/// Sets the voxels whose middles lie inside a closed mesh. See `describe`.
struct VoxelSolid {
    static constexpr std::string_view kName = "voxel/solid";

    TriangleMesh mesh;
    VoxelGrid frame_of;
    VoxelGridParameters parameters;
    SolidMethod method = SolidMethod::parity;
    std::uint32_t parts = kDefaultVoxelParts;
    VoxelGrid grid;

    static void describe(PassInfo<VoxelSolid>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::SolidMethod> {
    static constexpr std::array<std::string_view, 4> names{"parity", "majority", "winding",
                                                           "raster"};
};
