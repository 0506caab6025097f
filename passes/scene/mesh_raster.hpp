#pragma once

#include "passes/scene/camera_parameters.hpp"
#include "passes/scene/environment_map.hpp"
#include "passes/scene/scene_view.hpp"
#include "passes/scene/shadow_map.hpp"
#include "passes/scene/sun_direction.hpp"

#include <tuff/pass.hpp>
#include <tuff/scene_resources.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// A directional light, as a parameter group.
struct SunParameters {
    float azimuth = 60.0f;   ///< degrees; 0 shines from +z, 90 from +x
    float elevation = 50.0f; ///< degrees above the horizon
    glm::vec3 color{1.0f};
    float intensity = 2.0f; ///< irradiance on a surface that faces the light
    bool shadows = true;
    std::uint32_t shadow_size = 2048;

    static void describe_fields(auto&& field) {
        using S = SunParameters;
        describe_sun<S>(field);
        field("shadows", &S::shadows, "draws a shadow map").structural();
        field("shadow_size", &S::shadow_size, "side of the shadow map")
            .range(kMinShadowSide, kMaxShadowSide)
            .unit("texels")
            .structural();
    }
};

/// What becomes of draws with blended materials.
enum class BlendedDraws : std::uint8_t { sorted, left_out };

/// Draws a glTF scene. See `describe`.
struct MeshRaster {
    static constexpr std::string_view kName = "scene/mesh_raster";

    Scene scene;
    EnvironmentMap environment;
    std::uint32_t width = 1280;
    std::uint32_t height = 720;
    std::uint32_t samples = 4;
    CameraParameters camera;
    SunParameters sun;
    float roughness_scale = 1.0f;
    glm::vec3 ambient{0.3f}; ///< radiance from all around where no environment is connected
    glm::vec4 background{0.0f, 0.0f, 0.0f, 1.0f};
    bool show_environment = true;
    float background_blur = 0.0f;
    BlendedDraws blended = BlendedDraws::sorted;
    bool keep_places = false;
    Image color;
    Image depth;
    Image normal;
    Image albedo;
    Image motion;
    SceneView view;

    static void describe(PassInfo<MeshRaster>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::BlendedDraws> {
    static constexpr std::array<std::string_view, 2> names{"sorted", "left_out"};
};
