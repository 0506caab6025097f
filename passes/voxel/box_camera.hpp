#pragma once

#include "passes/scene/camera_parameters.hpp"

#include <tuff/graph.hpp>

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>

#include <optional>

/// Cameras that look at a grid. To them it is a box about the origin whose longest side is 2,
/// whatever its cells stand for.
namespace tuff::passes {

/// As `camera_for`, for such a box.
std::optional<Camera> camera_of_box(Graph& graph, const CameraParameters& camera, glm::uvec3 dims,
                                    std::uint32_t width, std::uint32_t height);

/// From that box to cells.
glm::mat4 cells_of_box(glm::uvec3 dims);

/// Sets the kernel's `eye` and the axes of its rays, as `set_box_rays` does.
void set_rays(ComputeNodeBuilder& node, const Camera& camera, glm::vec3 eye, float aspect);

/// Sets the kernel's eye, in cells, and the axes of its rays (`eye`, `forward`, `right`, `down`):
/// a ray through the middle of the picture, and what is added to it at the right and lower sides.
void set_box_rays(ComputeNodeBuilder& node, const Camera& camera, glm::uvec3 dims, float aspect);

} // namespace tuff::passes
