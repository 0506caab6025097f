#include <tuff/camera.hpp>

#include <glm/geometric.hpp>
#include <glm/vec4.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace tuff {
namespace {

glm::vec3 project(const Camera& camera, float aspect, glm::vec3 point) {
    const glm::vec4 clip = camera.projection(aspect) * camera.view() * glm::vec4(point, 1.0f);
    return glm::vec3(clip) / clip.w;
}

TEST(Camera, DepthRunsFromZeroToOneAndYPointsDown) {
    for (const Projection kind : {Projection::perspective, Projection::orthographic}) {
        const Camera camera{.position = {0, 0, 0},
                            .target = {0, 0, -1},
                            .kind = kind,
                            .near_plane = 1.0f,
                            .far_plane = 10.0f};
        EXPECT_NEAR(project(camera, 1.0f, {0, 0, -1}).z, 0.0f, 1e-6f);
        EXPECT_NEAR(project(camera, 1.0f, {0, 0, -10}).z, 1.0f, 1e-6f);
        EXPECT_LT(project(camera, 1.0f, {0, 0.3f, -5}).y, 0.0f);
        EXPECT_GT(project(camera, 1.0f, {0.3f, 0, -5}).x, 0.0f);
    }
}

TEST(Camera, FieldOfViewReachesTheEdges) {
    const Camera camera{.position = {0, 0, 0}, .target = {0, 0, -1}, .vertical_fov = 90.0f};
    EXPECT_NEAR(project(camera, 2.0f, {0, 3, -3}).y, -1.0f, 1e-5f);
    EXPECT_NEAR(project(camera, 2.0f, {6, 0, -3}).x, 1.0f, 1e-5f);
}

TEST(Camera, DegenerateDirectionsStillGiveAFiniteView) {
    for (const glm::vec3 up : {glm::vec3(0, 0, -1), glm::vec3(0.0f)}) {
        const glm::mat4 view = Camera{.position = {0, 0, 5}, .target = {0, 0, 0}, .up = up}.view();
        for (int c = 0; c < 4; ++c)
            for (int r = 0; r < 4; ++r)
                EXPECT_TRUE(std::isfinite(view[c][r]));
    }
    const glm::mat4 view = Camera{.position = {1, 2, 3}, .target = {1, 2, 3}}.view();
    EXPECT_TRUE(std::isfinite(view[3][0]));
}

TEST(FrameBounds, SeesEveryCornerAndFillsThePicture) {
    const glm::vec3 low(-3, -1, 2);
    const glm::vec3 high(5, 0, 20);
    for (const glm::vec3 direction :
         {glm::vec3(0, 0, -1), glm::vec3(1, -1, 1), glm::vec3(0, -1, 0), glm::vec3(-3, 0.2f, 1)}) {
        for (const float aspect : {0.5f, 1.0f, 1.78f}) {
            const Camera camera = frame_bounds(low, high, direction, 40.0f, aspect);
            float widest = 0.0f;
            for (int corner = 0; corner < 8; ++corner) {
                const glm::vec3 p =
                    project(camera, aspect,
                            {corner & 1 ? high.x : low.x, corner & 2 ? high.y : low.y,
                             corner & 4 ? high.z : low.z});
                EXPECT_LE(std::abs(p.x), 1.0f);
                EXPECT_LE(std::abs(p.y), 1.0f);
                EXPECT_GE(p.z, 0.0f);
                EXPECT_LE(p.z, 1.0f);
                widest = std::max({widest, std::abs(p.x), std::abs(p.y)});
            }
            EXPECT_GT(widest, 0.9f) << "the box would be needlessly small";
        }
    }
}

TEST(FrameBounds, EmptyAndFlatBoxesGiveAUsableCamera) {
    for (const auto& [low, high] :
         {std::pair(glm::vec3(1), glm::vec3(-1)), std::pair(glm::vec3(2), glm::vec3(2)),
          std::pair(glm::vec3(0), glm::vec3(1, 0, 0))}) {
        const Camera camera = frame_bounds(low, high, {1, 0, 0});
        EXPECT_GT(camera.near_plane, 0.0f);
        EXPECT_GT(camera.far_plane, camera.near_plane);
        EXPECT_TRUE(std::isfinite(camera.position.x));
    }
}

} // namespace
} // namespace tuff
