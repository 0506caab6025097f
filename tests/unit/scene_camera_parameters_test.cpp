#include "passes/scene/camera_parameters.hpp"

#include <glm/geometric.hpp>
#include <glm/vec4.hpp>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

/// What camera the parameters of a pass that draws a scene mean.
namespace tuff::passes {
namespace {

SceneData box(glm::vec3 min, glm::vec3 max) {
    SceneData scene;
    scene.bounds = {min, max};
    return scene;
}

SceneData unit_box() {
    return box(glm::vec3(-1.0f), glm::vec3(1.0f));
}

std::string code_of(const CameraParameters& parameters, const SceneData& scene) {
    const auto camera = resolve_camera(parameters, scene, 1.0f);
    if (camera) return "";
    EXPECT_EQ(camera.error().size(), 1u);
    return camera.error().front().code;
}

/// Clip coordinates of a corner of the box, divided by w.
glm::vec3 projected(const Camera& camera, glm::vec3 point, float aspect) {
    const glm::vec4 clip = camera.projection(aspect) * camera.view() * glm::vec4(point, 1.0f);
    return glm::vec3(clip) / clip.w;
}

TEST(CameraParameters, OrbitSeesTheWholeSceneFromEveryAngle) {
    const SceneData scene = box({-3.0f, 0.0f, 1.0f}, {1.0f, 2.0f, 9.0f});
    for (const float aspect : {0.4f, 1.0f, 2.5f})
        for (float azimuth = 0.0f; azimuth < 360.0f; azimuth += 45.0f)
            for (const float elevation : {-90.0f, -20.0f, 0.0f, 60.0f, 90.0f}) {
                const auto camera =
                    resolve_camera({.azimuth = azimuth, .elevation = elevation}, scene, aspect);
                ASSERT_TRUE(camera);
                for (int corner = 0; corner < 8; ++corner) {
                    const glm::vec3 at =
                        projected(*camera,
                                  {corner & 1 ? -3.0f : 1.0f, corner & 2 ? 0.0f : 2.0f,
                                   corner & 4 ? 1.0f : 9.0f},
                                  aspect);
                    EXPECT_LE(std::abs(at.x), 1.0f);
                    EXPECT_LE(std::abs(at.y), 1.0f);
                    EXPECT_GT(at.z, 0.0f);
                    EXPECT_LT(at.z, 1.0f);
                }
            }
}

TEST(CameraParameters, AzimuthTurnsFromTowardsXAndElevationLooksDown) {
    const auto position = [](float azimuth, float elevation) {
        const auto camera =
            resolve_camera({.azimuth = azimuth, .elevation = elevation}, unit_box(), 1.0f);
        return glm::normalize(camera->position - camera->target);
    };
    EXPECT_NEAR(position(0.0f, 0.0f).z, 1.0f, 1e-5f);
    EXPECT_NEAR(position(90.0f, 0.0f).x, 1.0f, 1e-5f);
    EXPECT_NEAR(position(123.0f, 90.0f).y, 1.0f, 1e-5f);
}

TEST(CameraParameters, ZoomDividesTheDistance) {
    const auto distance = [](float zoom) {
        const auto camera = resolve_camera({.zoom = zoom}, unit_box(), 1.0f);
        return glm::length(camera->position - camera->target);
    };
    EXPECT_NEAR(distance(4.0f), distance(1.0f) / 4.0f, 1e-5f);
}

TEST(CameraParameters, PlanesEncloseTheSceneWhereTheUserLeavesThemOpen) {
    CameraParameters parameters{.mode = CameraMode::free, .position = {0.0f, 0.0f, 11.0f}};
    const auto around = resolve_camera(parameters, unit_box(), 1.0f);
    ASSERT_TRUE(around);
    EXPECT_LT(around->near_plane, 10.0f);
    EXPECT_GT(around->near_plane, 9.5f);
    EXPECT_GT(around->far_plane, 12.0f);
    EXPECT_LT(around->far_plane, 12.5f);

    parameters.near_plane = 2.0f;
    parameters.far_plane = 50.0f;
    const auto given = resolve_camera(parameters, unit_box(), 1.0f);
    ASSERT_TRUE(given);
    EXPECT_EQ(given->near_plane, 2.0f);
    EXPECT_EQ(given->far_plane, 50.0f);

    // Inside the box, before it with the box behind, and with no box at all.
    for (const auto& [position, target] :
         {std::pair(glm::vec3(0.0f), glm::vec3(1.0f, 0.0f, 0.0f)),
          std::pair(glm::vec3(0.0f, 0.0f, 5.0f), glm::vec3(0.0f, 0.0f, 9.0f))})
        for (const SceneData& scene : {unit_box(), SceneData{}}) {
            const auto camera = resolve_camera(
                {.mode = CameraMode::free, .position = position, .target = target}, scene, 1.0f);
            ASSERT_TRUE(camera);
            EXPECT_GT(camera->near_plane, 0.0f);
            EXPECT_LT(camera->near_plane, camera->far_plane);
        }
}

TEST(CameraParameters, AFlatSceneSeenSquarelyLiesBetweenThePlanes) {
    const auto camera = resolve_camera({.mode = CameraMode::free, .position = {0.0f, 0.0f, 3.0f}},
                                       box({-1.0f, -1.0f, 0.0f}, {1.0f, 1.0f, 0.0f}), 1.0f);
    ASSERT_TRUE(camera);
    EXPECT_LT(camera->near_plane, 3.0f);
    EXPECT_GT(camera->far_plane, 3.0f);
}

TEST(CameraParameters, FileCamerasAreTakenAsTheyAre) {
    SceneData scene = unit_box();
    Camera second;
    second.kind = Projection::orthographic;
    second.orthographic_height = 7.0f;
    second.near_plane = 3.0f;
    scene.cameras = {{"first", Camera{}}, {"second", second}};
    const auto camera =
        resolve_camera({.mode = CameraMode::file, .near_plane = 1.0f, .index = 1}, scene, 1.0f);
    ASSERT_TRUE(camera);
    EXPECT_EQ(camera->kind, Projection::orthographic);
    EXPECT_EQ(camera->orthographic_height, 7.0f);
    EXPECT_EQ(camera->near_plane, 3.0f);
}

TEST(CameraParameters, MistakesAreOneDiagnosticEach) {
    const SceneData scene = unit_box();
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(code_of({.mode = CameraMode::file}, scene), "scene/no-such-camera");
    EXPECT_EQ(
        code_of({.mode = CameraMode::free, .position = {1, 2, 3}, .target = {1, 2, 3}}, scene),
        "scene/bad-camera");
    EXPECT_EQ(code_of({.mode = CameraMode::free, .near_plane = 5.0f, .far_plane = 5.0f}, scene),
              "scene/bad-camera");
    EXPECT_EQ(code_of({.near_plane = 1e6f}, scene), "scene/bad-camera");
    EXPECT_EQ(code_of({.zoom = 0.0f}, scene), "scene/bad-camera");
    EXPECT_EQ(code_of({.vertical_fov = 180.0f}, scene), "scene/bad-camera");
    EXPECT_EQ(code_of({.vertical_fov = kNan}, scene), "scene/bad-camera");
    EXPECT_EQ(code_of({.mode = CameraMode::free, .position = {kNan, 0, 0}}, scene),
              "scene/bad-camera");
}

} // namespace
} // namespace tuff::passes
