#pragma once

#include "passes/volume/section.hpp"
#include "passes/volume/view_rays.hpp"

namespace tuff::passes {

/// The greatest, the least or the mean number along rays through a volume. See `describe`.
struct VolumeProjection {
    static constexpr std::string_view kName = "volume/projection";

    Image source;
    Scene scene; ///< optional
    VolumeNumber number = VolumeNumber::red;
    VolumeFilter filter = VolumeFilter::linear;
    std::vector<float> weights;
    VolumeFiltering filtering = VolumeFiltering::before;
    glm::vec3 spacing{1.0f};
    VolumeCombine combine = VolumeCombine::maximum;
    std::uint32_t width = 640;
    std::uint32_t height = 480;
    CameraParameters camera;
    VolumeRays rays = VolumeRays::perspective;
    VolumeSpace space = VolumeSpace::box;
    VolumeUp up = VolumeUp::y;
    glm::vec3 origin{0.0f};
    std::vector<float> axes;
    glm::vec3 clip_low{0.0f};
    glm::vec3 clip_high{1.0f};
    std::vector<float> clip_planes;
    float step = 0.5f;
    bool skip = true;
    float low = 0.0f;
    float high = 1.0f;
    glm::vec4 background{0.0f, 0.0f, 0.0f, 1.0f};
    Image result;
    Image values;

    static void describe(PassInfo<VolumeProjection>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
