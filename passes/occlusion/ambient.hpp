#pragma once

#include "passes/occlusion/levels.hpp"
#include "passes/volume/sampled_volume.hpp"

namespace tuff::passes {

/// Computes the ambient occlusion of a volume from shells of cubes. See `describe`.
struct OcclusionAmbient {
    static constexpr std::string_view kName = "occlusion/ambient";

    Image opacity;
    Image numbers; ///< optional
    std::uint32_t shells = 6;
    OcclusionMethod method = OcclusionMethod::n_buffer;
    std::uint32_t mips = 2;
    std::uint32_t budget = 0;
    OcclusionBorder border = OcclusionBorder::open;
    OcclusionPrecision precision = OcclusionPrecision::unorm16;
    VolumeFilter filter = VolumeFilter::device;
    bool normals = false;
    float normal = 1.0f;
    float growth = 1.4f;
    float strength = 1.0f;
    bool own = false;
    Image result;

    static void describe(PassInfo<OcclusionAmbient>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
