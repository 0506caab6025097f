#pragma once

#include <tuff/scene.hpp>

#include <glm/geometric.hpp>

#include <algorithm>

namespace tuff {

/// A far plane for a camera without one: behind all of the bounds, wherever the camera looks.
inline float far_plane_about(const Camera& camera, const Bounds& bounds) {
    if (bounds.empty()) return camera.near_plane * 1000.0f;
    const glm::vec3 reach =
        glm::max(glm::abs(bounds.min - camera.position), glm::abs(bounds.max - camera.position));
    return std::max(glm::length(reach) * 1.1f, camera.near_plane * 10.0f);
}

} // namespace tuff
