#pragma once

#include "passes/fluid/advect.hpp"
#include "passes/scene/camera_parameters.hpp"

namespace tuff::passes {

/// Draws smoke and fire in three dimensions. See `describe`.
struct SmokeView {
    static constexpr std::string_view kName = "fluid/smoke_view";

    FluidField field;
    FluidDye dye;
    std::uint32_t width = 640;
    std::uint32_t height = 480;
    CameraParameters camera;
    float step = 0.7f;
    float extinction = 0.4f;
    glm::vec3 albedo{0.9f};
    float glow = 1.0f;
    glm::vec3 towards_light{0.6f, 0.8f, 0.3f};
    glm::vec3 light{3.0f, 2.8f, 2.5f};
    glm::vec3 ambient{0.25f, 0.3f, 0.4f};
    glm::vec3 solid_color{0.7f, 0.5f, 0.35f};
    glm::vec3 background{0.02f, 0.025f, 0.035f};
    Image result;

    static void describe(PassInfo<SmokeView>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
