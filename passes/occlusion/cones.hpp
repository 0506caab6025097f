#pragma once

#include "passes/occlusion/levels.hpp"
#include "passes/occlusion/rays.hpp"
#include "passes/volume/sampled_volume.hpp"

namespace tuff::passes {

/// The number of cones around a voxel: towards faces, corners and edges of a cube.
enum class OcclusionCones : std::uint8_t { faces, faces_corners, all };

/// Computes the ambient occlusion of a volume with cones. See `describe`.
struct OcclusionConeTrace {
    static constexpr std::string_view kName = "occlusion/cones";

    Image opacity;
    Image numbers; ///< optional
    Image colors;  ///< optional
    OcclusionCones cones = OcclusionCones::faces_corners;
    OcclusionCover cover = OcclusionCover::sphere;
    VolumeFilter filter = VolumeFilter::device;
    std::uint32_t stride = 1;
    float reach = 1e6f;
    float strength = 1.0f;
    float bounce = 1.0f;
    bool skip = false;
    OcclusionPrecision precision = OcclusionPrecision::unorm16;
    Image result;

    static void describe(PassInfo<OcclusionConeTrace>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::OcclusionCones> {
    static constexpr std::array<std::string_view, 3> names{"6", "14", "26"};
};
