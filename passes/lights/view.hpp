#pragma once

#include "passes/scene/camera_parameters.hpp"

#include <tuff/graph.hpp>
#include <tuff/scene_resources.hpp>

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>

#include <optional>

namespace tuff::passes {

/// A camera as shaders/lights/view.glsl reads it.
struct LightView {
    glm::mat4 view_from_world{1.0f};
    glm::mat4 clip_from_view{1.0f};
    glm::vec2 scale{1.0f};       ///< 1 / P[0][0] and 1 / P[1][1] of the projection P
    glm::vec4 depth_terms{0.0f}; ///< P[3][3], P[3][2], P[2][3], P[2][2]
    float near_plane = 0.0f;
    float far_plane = 1.0f;
    float perspective = 1.0f; ///< 1, or 0
};

/// The camera for a picture of this size, placed by the scene if there is one. Returns nothing, and
/// reports, if there is an error.
std::optional<LightView> light_view(Graph& graph, const CameraParameters& camera,
                                    const Scene& scene, std::uint32_t width, std::uint32_t height);

/// Sets `scale`, `depth_terms` and `perspective`.
void set_view(KernelNode& node, const LightView& view);

} // namespace tuff::passes
