#pragma once

#include "passes/lights/lights.hpp"

namespace tuff::passes {

/// Makes many lights. See `describe`.
struct GenerateLights {
    static constexpr std::string_view kName = "lights/generate";

    std::uint32_t count = 1024;
    std::uint32_t seed = 1;
    glm::vec3 low{-1.0f};
    glm::vec3 high{1.0f};
    float least_range = 0.1f;
    float greatest_range = 0.3f;
    float intensity = 0.1f;
    float saturation = 0.8f;
    float spots = 0.0f;
    float inner_angle = 20.0f;
    float outer_angle = 35.0f;
    float speed = 0.1f;
    float time = 0.0f;
    Lights lights;

    static void describe(PassInfo<GenerateLights>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
