#pragma once

#include "passes/occlusion/levels.hpp"
#include "passes/volume/sampled_volume.hpp"

#include <vector>

namespace tuff::passes {

/// Computes the opacities of a volume with a transfer function. See `describe`.
struct OcclusionOpacity {
    static constexpr std::string_view kName = "occlusion/opacity";

    Image source;
    VolumeNumber number = VolumeNumber::red;
    std::vector<float> transfer{0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f};
    float unit = 1.0f;
    OcclusionPrecision precision = OcclusionPrecision::unorm16;
    Image result;

    static void describe(PassInfo<OcclusionOpacity>& info);
    void build(Graph& graph);
};

/// Computes the colors of a volume with a transfer function. See `describe`.
struct OcclusionColors {
    static constexpr std::string_view kName = "occlusion/colors";

    Image source;
    VolumeNumber number = VolumeNumber::red;
    std::vector<float> transfer{0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f};
    float unit = 1.0f;
    Image result;

    static void describe(PassInfo<OcclusionColors>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
