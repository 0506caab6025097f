#pragma once

#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

/// A round room with a ball, as a depth camera sees it: what benchmarks fuse, and OctoMap beside
/// them (tests/gpu/octree/octomap_speed.cc).
namespace tuff::bench {

inline constexpr float kRoomRadius = 1.9f;
inline const glm::vec3 kBall{0.2f, -0.1f, -1.0f};
inline constexpr float kBallRadius = 0.6f;
inline const glm::vec3 kDepthCamera{0.05f, 0.1f, 0.5f};

inline float distance_to_sphere(glm::vec3 from, glm::vec3 way, glm::vec3 middle, float radius,
                                bool inside) {
    const glm::vec3 to = middle - from;
    const float along = glm::dot(to, way);
    const float rest = radius * radius - glm::dot(to, to) + along * along;
    if (rest < 0.0f) return 1e9f;
    return inside ? along + std::sqrt(rest) : along - std::sqrt(rest);
}

inline float distance_along(glm::vec3 way) {
    return std::min(distance_to_sphere(kDepthCamera, way, kBall, kBallRadius, false),
                    distance_to_sphere(kDepthCamera, way, glm::vec3(0.0f), kRoomRadius, true));
}

/// Of a picture with an angle of view of 60 degrees from top to bottom, looking along -z.
inline glm::vec3 direction_of(glm::uvec2 size, std::uint64_t texel, float widen) {
    const float up = std::tan(0.5f * 1.04719755f) * widen;
    const auto x = static_cast<float>(texel % size.x);
    const auto y = static_cast<float>(texel / size.x);
    const float aspect = static_cast<float>(size.x) / static_cast<float>(size.y);
    return glm::normalize(
        glm::vec3(((x + 0.5f) / static_cast<float>(size.x) * 2.0f - 1.0f) * aspect * up,
                  -((y + 0.5f) / static_cast<float>(size.y) * 2.0f - 1.0f) * up, -1.0f));
}

/// Four columns to three rows, as depth cameras have them.
inline glm::uvec2 frame_size(std::uint64_t points) {
    const auto rows = static_cast<std::uint32_t>(std::sqrt(0.75 * double(points)) + 1e-6);
    return {static_cast<std::uint32_t>(points / rows), rows};
}

} // namespace tuff::bench
