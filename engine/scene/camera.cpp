#include <tuff/camera.hpp>

#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/vec4.hpp>

#include <algorithm>
#include <cmath>

namespace tuff {
namespace {

/// Unit vector along `v`, or `fallback` when `v` has no direction.
glm::vec3 direction_or(glm::vec3 v, glm::vec3 fallback) {
    const float length = glm::length(v);
    return length > 0.0f && std::isfinite(length) ? v / length : fallback;
}

struct Axes {
    glm::vec3 right;
    glm::vec3 up;
    glm::vec3 forward;
};

Axes axes_of(glm::vec3 forward, glm::vec3 up) {
    constexpr float kParallel = 1e-5f;
    forward = direction_or(forward, {0.0f, 0.0f, -1.0f});
    glm::vec3 right = glm::cross(forward, direction_or(up, {0.0f, 1.0f, 0.0f}));
    if (glm::length(right) < kParallel) {
        const glm::vec3 size = glm::abs(forward);
        glm::vec3 axis{0.0f, 0.0f, 1.0f};
        if (size.y <= size.x && size.y <= size.z)
            axis = {0.0f, 1.0f, 0.0f};
        else if (size.x <= size.z)
            axis = {1.0f, 0.0f, 0.0f};
        right = glm::cross(forward, axis);
    }
    right = glm::normalize(right);
    return {right, glm::cross(right, forward), forward};
}

} // namespace

glm::mat4 Camera::view() const {
    const Axes axes = axes_of(target - position, up);
    return glm::lookAtRH(position, position + axes.forward, axes.up);
}

glm::mat4 Camera::projection(float aspect) const {
    glm::mat4 clip;
    if (kind == Projection::perspective) {
        clip = glm::perspectiveRH_ZO(glm::radians(vertical_fov), aspect, near_plane, far_plane);
    } else {
        const float half_height = 0.5f * orthographic_height;
        const float half_width = half_height * aspect;
        clip = glm::orthoRH_ZO(-half_width, half_width, -half_height, half_height, near_plane,
                               far_plane);
    }
    for (int column = 0; column < 4; ++column)
        clip[column].y = -clip[column].y;
    return clip;
}

Camera frame_bounds(glm::vec3 min, glm::vec3 max, glm::vec3 direction, float vertical_fov,
                    float aspect) {
    constexpr float kMargin = 1.05f;
    glm::vec3 centre = 0.5f * (min + max);
    glm::vec3 half = 0.5f * (max - min);
    if (!(half.x >= 0.0f && half.y >= 0.0f && half.z >= 0.0f)) centre = half = glm::vec3(0.0f);
    const float largest = std::max({half.x, half.y, half.z});
    half = glm::max(half, glm::vec3(largest > 0.0f ? largest * 1e-3f : 0.5f));

    Camera camera;
    camera.vertical_fov = vertical_fov;
    const Axes axes = axes_of(direction, camera.up);
    const float slope_y = std::tan(glm::radians(0.5f * vertical_fov));
    const float slope_x = slope_y * aspect;

    // The nearest distance at which each corner lies inside the frustum: a corner `toward` the eye
    // by z needs distance - z >= |x| / slope.
    float distance = 0.0f;
    float depth = 0.0f;
    for (int corner = 0; corner < 8; ++corner) {
        const glm::vec3 p =
            half * glm::vec3(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
        const float toward = -glm::dot(p, axes.forward);
        const float across = std::abs(glm::dot(p, axes.right)) / slope_x;
        const float along = std::abs(glm::dot(p, axes.up)) / slope_y;
        distance = std::max(distance, toward + kMargin * std::max(across, along));
        depth = std::max(depth, toward);
    }
    camera.target = centre;
    camera.position = centre - axes.forward * distance;
    camera.near_plane = std::max((distance - depth) * 0.5f, distance * 1e-3f);
    camera.far_plane = distance + depth * 1.1f;
    return camera;
}

} // namespace tuff
