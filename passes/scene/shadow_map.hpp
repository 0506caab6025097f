#pragma once

#include <tuff/scene_resources.hpp>

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>

#include <cstdint>

namespace tuff::passes {

constexpr std::uint32_t kMinShadowSide = 16;
constexpr std::uint32_t kMaxShadowSide = 8192;

/// What a directional light sees. shaders/include/scene/lighting.glsl looks it up.
struct ShadowMap {
    Image depth;               ///< d32_sfloat, square, 1 where nothing is
    glm::mat4 view_projection; ///< orthographic, holds the whole scene
    float texel_size;          ///< world units a texel covers
};

/// Draws the depth of all but blended materials as seen against `towards_light` (of unit length)
/// into a map of `side` texels a side, within the limits above.
ShadowMap add_shadow_map(Graph& graph, const Scene& scene, glm::vec3 towards_light,
                         std::uint32_t side);

} // namespace tuff::passes
