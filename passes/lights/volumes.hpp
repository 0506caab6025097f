#pragma once

#include "passes/lights/shade.hpp"

namespace tuff::passes {

/// Lights a picture light by light. See `describe`.
struct LightVolumes {
    static constexpr std::string_view kName = "lights/volumes";

    Lights lights;
    Image depth;
    Image normal;
    Image albedo;
    Image material; ///< optional
    Scene scene;
    CameraParameters camera;
    float roughness = 0.5f;
    float metallic = 0.0f;
    glm::vec3 ambient{0.0f};
    glm::vec4 background{0.0f, 0.0f, 0.0f, 1.0f};
    Image result;

    static void describe(PassInfo<LightVolumes>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
