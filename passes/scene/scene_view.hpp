#pragma once

#include "passes/scene/environment_map.hpp"
#include "passes/scene/scene_draws.hpp"

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tuff::passes {

/// A scene as a camera sees it, in its light: what passes need that draw more into the same
/// picture. `scene/mesh_raster` makes it.
struct SceneView {
    static constexpr std::string_view kPortType = "SceneView";

    Image color; ///< what has been drawn, rgba16_sfloat, all its samples
    Image depth; ///< its clip-space depth, d32_sfloat, as many samples

    EnvironmentMap environment;
    Image shadow_map; ///< not connected where nothing casts shadows

    glm::mat4 view_projection{1.0f};
    glm::vec4 eye{0.0f}; ///< w 1: position of the camera; w 0: direction towards it
    glm::vec3 light_direction{0.0f, 1.0f, 0.0f};
    glm::vec3 light_irradiance{0.0f};
    float roughness_scale = 1.0f;
    glm::vec3 environment_scale{1.0f};
    glm::mat4 light_view_projection{1.0f};
    float light_texel = 0.0f; ///< world units a texel of the shadow map covers

    explicit operator bool() const { return color && depth; }
    std::vector<PortMember> members() const { return {{"color", color}, {"depth", depth}}; }
};

/// The textures that shaders/include/scene/mesh_shading.glsl looks up.
inline constexpr std::array<MaterialTexture, 5> kMeshTextures{{
    {"base_color_map", &SceneMaterial::base_color_texture},
    {"metallic_roughness_map", &SceneMaterial::metallic_roughness_texture},
    {"normal_map", &SceneMaterial::normal_texture},
    {"occlusion_map", &SceneMaterial::occlusion_texture},
    {"emissive_map", &SceneMaterial::emissive_texture},
}};

/// Sets what scene/mesh_params.glsl declares, but for whether there are shadows.
void set_view(KernelNode& node, const SceneView& view);
/// Sets and binds what scene/mesh_params.glsl and scene/lighting.glsl declare.
void bind_view(const Graph& graph, KernelNode& node, const SceneView& view);

} // namespace tuff::passes
