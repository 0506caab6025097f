#include "passes/voxel/box_camera.hpp"

#include <glm/ext/matrix_transform.hpp>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>

namespace tuff::passes {
namespace {

float longest_side(glm::uvec3 dims) {
    return static_cast<float>(std::max({dims.x, dims.y, dims.z}));
}

} // namespace

std::optional<Camera> camera_of_box(Graph& graph, const CameraParameters& camera, glm::uvec3 dims,
                                    std::uint32_t width, std::uint32_t height) {
    SceneData scene;
    const glm::vec3 half_size = glm::vec3(dims) / longest_side(dims);
    scene.bounds = {-half_size, half_size};
    return camera_for(graph, camera, scene, width, height);
}

glm::mat4 cells_of_box(glm::uvec3 dims) {
    const glm::mat4 moved = glm::translate(glm::mat4(1.0f), 0.5f * glm::vec3(dims));
    return glm::scale(moved, glm::vec3(0.5f * longest_side(dims)));
}

// Not from the inverse of the projection, which knows little of what is far away.
void set_rays(ComputeNodeBuilder& node, const Camera& camera, glm::vec3 eye, float aspect) {
    const glm::mat3 axes = glm::transpose(glm::mat3(camera.view()));
    const float up = std::tan(0.5f * glm::radians(camera.vertical_fov));
    node.set("eye", eye);
    node.set("forward", -axes[2]);
    node.set("right", aspect * up * axes[0]);
    node.set("down", -up * axes[1]);
}

void set_box_rays(ComputeNodeBuilder& node, const Camera& camera, glm::uvec3 dims, float aspect) {
    set_rays(node, camera, glm::vec3(cells_of_box(dims) * glm::vec4(camera.position, 1.0f)),
             aspect);
}

} // namespace tuff::passes
