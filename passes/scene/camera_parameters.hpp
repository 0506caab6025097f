#pragma once

#include <tuff/camera.hpp>
#include <tuff/diagnostic.hpp>
#include <tuff/pass.hpp>
#include <tuff/scene.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tuff::passes {

enum class CameraMode : std::uint8_t {
    orbit, ///< about the scene, which fits the picture
    free,  ///< from `position` to `target`
    file,  ///< a camera of the scene's file
};

/// The camera of a pass that draws a scene, as a parameter group. Angles in degrees, lengths in
/// world units.
struct CameraParameters {
    CameraMode mode = CameraMode::orbit;
    float azimuth = 35.0f;
    float elevation = 20.0f;
    float zoom = 1.0f;
    glm::vec3 position{0.0f, 0.0f, 5.0f};
    glm::vec3 target{0.0f};
    glm::vec3 up{0.0f, 1.0f, 0.0f};
    float vertical_fov = 35.0f;
    float near_plane = 0.0f; ///< 0: just before the scene
    float far_plane = 0.0f;  ///< 0: just behind the scene
    std::uint32_t index = 0;

    static void describe_fields(auto&& field);
};

/// The camera that `parameters` mean for a picture of this aspect (width over height). Errors:
/// `scene/no-such-camera`, `scene/bad-camera`.
Result<Camera> resolve_camera(const CameraParameters& parameters, const SceneData& scene,
                              float aspect);

/// The same for a picture of a graph; nothing, and a report, where there is an error.
std::optional<Camera> camera_for(Graph& graph, const CameraParameters& parameters,
                                 const SceneData& scene, std::uint32_t width, std::uint32_t height);

void CameraParameters::describe_fields(auto&& field) {
    using C = CameraParameters;
    field("mode", &C::mode,
          "\"orbit\" turns around the scene, \"free\" looks from position to target, \"file\" "
          "takes a camera of the scene's file");
    field("azimuth", &C::azimuth, "orbit: 0 looks from +z, 90 from +x").unit("degrees");
    field("elevation", &C::elevation, "orbit: 90 looks straight down")
        .range(-90.0, 90.0)
        .unit("degrees");
    field("zoom", &C::zoom, "orbit: 1 fits the scene into the picture; 2 halves the distance")
        .range(0.05, 20.0);
    field("position", &C::position, "free: position of the camera").unit("world units");
    field("target", &C::target, "free: point that the camera looks at").unit("world units");
    field("up", &C::up, "free: the direction that is up in the picture");
    field("vertical_fov", &C::vertical_fov, "orbit and free: full vertical angle of view")
        .range(0.1, 170.0)
        .unit("degrees");
    field("near_plane", &C::near_plane, "orbit and free: near plane; 0: just in front of the scene")
        .range(0.0, 1e9)
        .unit("world units");
    field("far_plane", &C::far_plane, "orbit and free: far plane; 0: just behind the scene")
        .range(0.0, 1e9)
        .unit("world units");
    field("index", &C::index, "file: index of the camera, from 0");
}

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::CameraMode> {
    static constexpr std::array<std::string_view, 3> names{"orbit", "free", "file"};
};
