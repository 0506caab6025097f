#pragma once

#include "passes/voxel/voxelize.hpp"

namespace tuff::passes {

/// How the surface is found. All but the last three give the same voxels: all that triangles meet.
enum class SurfaceMethod : std::uint8_t {
    rows,         ///< intervals of rows along z, shared out among the invocations of a group
    columns,      ///< a triangle an invocation: columns along the axis nearest to its normal
    box,          ///< a triangle an invocation: all voxels of its bounding box
    conservative, ///< drawn along three axes by a device that rasterizes conservatively
    dilated,      ///< conservative, by triangles made larger, on every device
    raster,       ///< drawn along z: the voxels in which triangles pass middles of columns
    slice_map,    ///< the same voxels, merged as bits of attachments
    raster_three, ///< drawn along all three axes
};

/// When a triangle sets a voxel that it meets.
enum class SurfaceSeparation : std::uint8_t {
    conservative, ///< always: nothing gets through, not even across edges and corners
    thin,         ///< where a line through the middle is met: nothing gets through faces
};

/// Sets the voxels that the triangles of a mesh meet. See `describe`.
struct VoxelSurface {
    static constexpr std::string_view kName = "voxel/surface";

    TriangleMesh mesh;
    VoxelGrid frame_of;
    VoxelGridParameters parameters;
    SurfaceMethod method = SurfaceMethod::rows;
    SurfaceSeparation separation = SurfaceSeparation::conservative;
    bool short_cuts = true;
    bool count = true;
    std::uint32_t parts = kDefaultVoxelParts;
    VoxelGrid grid;

    static void describe(PassInfo<VoxelSurface>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::SurfaceMethod> {
    static constexpr std::array<std::string_view, 8> names{
        "rows", "columns", "box", "conservative", "dilated", "raster", "slice_map", "raster_three"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::SurfaceSeparation> {
    static constexpr std::array<std::string_view, 2> names{"conservative", "thin"};
};
