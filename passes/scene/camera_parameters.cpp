#include "passes/scene/camera_parameters.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tuff::passes {
namespace {

bool is_finite(glm::vec3 v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

/// Puts the planes the user left open about the scene's box.
void place_planes(Camera& camera, const CameraParameters& parameters, const Bounds& bounds) {
    constexpr float kRoom = 1.02f;         // keeps faces that lie in the box's sides
    constexpr float kDeepestRatio = 1e-4f; // near over far: what 32-bit depth tells well apart
    const glm::mat4 view = camera.view();
    float nearest = std::numeric_limits<float>::max();
    float farthest = 0.0f;
    for (int corner = 0; corner < 8 && !bounds.empty(); ++corner) {
        const glm::vec4 point(corner & 1 ? bounds.max.x : bounds.min.x,
                              corner & 2 ? bounds.max.y : bounds.min.y,
                              corner & 4 ? bounds.max.z : bounds.min.z, 1.0f);
        const float depth = -(view * point).z;
        nearest = std::min(nearest, depth);
        farthest = std::max(farthest, depth);
    }
    if (!(farthest > 0.0f)) { // an empty scene, or one behind the camera
        nearest = 0.1f;
        farthest = 100.0f;
    }
    camera.far_plane = parameters.far_plane > 0.0f ? parameters.far_plane : farthest * kRoom;
    camera.near_plane = parameters.near_plane > 0.0f
                            ? parameters.near_plane
                            : std::max(nearest / kRoom, camera.far_plane * kDeepestRatio);
}

Camera orbit(const CameraParameters& parameters, const Bounds& bounds, float aspect) {
    const float azimuth = glm::radians(parameters.azimuth);
    // Straight up and down the azimuth would have no meaning.
    constexpr float kSteepest = 89.9f;
    const float elevation = glm::radians(std::clamp(parameters.elevation, -kSteepest, kSteepest));
    const glm::vec3 towards_camera(std::sin(azimuth) * std::cos(elevation), std::sin(elevation),
                                   std::cos(azimuth) * std::cos(elevation));
    const Bounds box = bounds.empty() ? Bounds{glm::vec3(-0.5f), glm::vec3(0.5f)} : bounds;
    Camera camera =
        frame_bounds(box.min, box.max, -towards_camera, parameters.vertical_fov, aspect);
    camera.position = camera.target + (camera.position - camera.target) / parameters.zoom;
    return camera;
}

} // namespace

Result<Camera> resolve_camera(const CameraParameters& parameters, const SceneData& scene,
                              float aspect) {
    Camera camera;
    if (parameters.mode == CameraMode::file) {
        if (parameters.index >= scene.cameras.size())
            return fail("scene/no-such-camera",
                        fmt::format("camera.index is {}, but the scene's file has {} camera(s)",
                                    parameters.index, scene.cameras.size()),
                        scene.cameras.empty() ? "use camera.mode \"orbit\" or \"free\"" : "");
        return scene.cameras[parameters.index].camera;
    }
    if (!(parameters.vertical_fov > 0.0f && parameters.vertical_fov < 180.0f))
        return fail("scene/bad-camera",
                    fmt::format("camera.vertical_fov is {}, not between 0 and 180 degrees",
                                parameters.vertical_fov));
    if (parameters.mode == CameraMode::orbit) {
        if (!(parameters.zoom > 0.0f))
            return fail("scene/bad-camera",
                        fmt::format("camera.zoom is {}, not above 0", parameters.zoom));
        camera = orbit(parameters, scene.bounds, aspect);
    } else {
        camera.position = parameters.position;
        camera.target = parameters.target;
        camera.up = parameters.up;
        camera.vertical_fov = parameters.vertical_fov;
        if (camera.position == camera.target)
            return fail("scene/bad-camera", "camera.position and camera.target are the same point");
    }
    if (!is_finite(camera.position) || !is_finite(camera.target))
        return fail("scene/bad-camera", "the camera's position is not finite");
    place_planes(camera, parameters, scene.bounds);
    if (!(camera.near_plane < camera.far_plane))
        return fail("scene/bad-camera", fmt::format("the near plane, {}, is not in front of the "
                                                    "far plane, {}",
                                                    camera.near_plane, camera.far_plane));
    return camera;
}

std::optional<Camera> camera_for(Graph& graph, const CameraParameters& parameters,
                                 const SceneData& scene, std::uint32_t width,
                                 std::uint32_t height) {
    const Result<Camera> camera =
        resolve_camera(parameters, scene, static_cast<float>(width) / static_cast<float>(height));
    if (camera) return *camera;
    for (const Diagnostic& diagnostic : camera.error())
        graph.report(diagnostic);
    return {};
}

} // namespace tuff::passes
