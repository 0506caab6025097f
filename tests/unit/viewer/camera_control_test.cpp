// Mouse and keys move cameras by the parameters that place them.

#include "model/camera_control.hpp"

#include <glm/geometric.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tuff::viewer {
namespace {

CameraPose standing() {
    return {.free = true, .position = {0.0, 0.0, 5.0}, .target = {0.0, 0.0, 0.0}};
}

TEST(CameraControl, turning_about_the_target_keeps_the_distance) {
    const CameraPose turned = orbit(standing(), {0.5, 0.1});
    EXPECT_NEAR(glm::length(turned.position - turned.target), 5.0, 1e-9);
    EXPECT_NEAR(orbit(standing(), {0.5, 0.0}).position.x, -5.0, 1e-9) << "a quarter turn";
    EXPECT_GT(turned.position.y, 0.0) << "dragging down looks from above";
}

TEST(CameraControl, never_turns_over_the_pole) {
    CameraPose pose = standing();
    for (int i = 0; i < 20; ++i)
        pose = orbit(pose, {0.0, 0.3});
    EXPECT_GT(glm::length(glm::dvec2(pose.position.x, pose.position.z)), 1e-3);
    CameraPose angles{.elevation = 80.0};
    EXPECT_LT(orbit(angles, {0.0, 1.0}).elevation, 90.0);
}

TEST(CameraControl, going_nearer_and_back_returns) {
    const CameraPose near = dolly(standing(), 3.0);
    EXPECT_LT(near.position.z, 5.0);
    EXPECT_NEAR(dolly(near, -3.0).position.z, 5.0, 1e-9);
    EXPECT_GT(dolly(CameraPose{}, 1.0).zoom, 1.0);
    EXPECT_LE(dolly(CameraPose{}, 1000.0).zoom, 20.0);
}

TEST(CameraControl, shifting_and_flying_move_camera_and_target_alike) {
    for (const CameraPose& moved :
         {pan(standing(), {0.2, 0.1}), fly(standing(), {0.1, 0.2, 0.3})}) {
        const glm::dvec3 way = moved.target - moved.position;
        EXPECT_NEAR(glm::length(way - glm::dvec3(0.0, 0.0, -5.0)), 0.0, 1e-9);
    }
    EXPECT_NEAR(fly(standing(), {0.0, 0.0, 1.0}).position.z, 0.0, 1e-9) << "forward is -z here";
    EXPECT_NEAR(fly(standing(), {1.0, 0.0, 0.0}).position.x, 5.0, 1e-9);
    EXPECT_LT(pan(standing(), {0.2, 0.0}).position.x, 0.0) << "the picture follows the hand";
}

TEST(CameraControl, looking_around_leaves_the_camera_where_it_is) {
    const CameraPose turned = look(standing(), {0.25, 0.0});
    EXPECT_EQ(turned.position, standing().position);
    EXPECT_NEAR(glm::length(turned.target - turned.position), 5.0, 1e-9);
    EXPECT_NE(turned.target.x, 0.0);
}

TEST(CameraControl, straight_down_is_no_division_by_zero) {
    CameraPose pose{.free = true, .position = {0.0, 5.0, 0.0}, .target = {0.0, 0.0, 0.0}};
    const CameraPose moved = pan(pose, {0.1, 0.1});
    EXPECT_TRUE(std::isfinite(moved.position.x) && std::isfinite(moved.position.z));
}

Control control(std::string node, std::string name, ParameterValue base, std::string follows = {}) {
    Control made{.key = {std::move(node), std::move(name)}, .base = std::move(base)};
    made.info.kind = std::holds_alternative<std::vector<double>>(made.base) ? ParameterKind::vector
                     : std::holds_alternative<std::string>(made.base)       ? ParameterKind::choice
                                                                            : ParameterKind::real;
    made.follows = std::move(follows);
    return made;
}

std::vector<Control> two_cameras() {
    std::vector<Control> all = {control("", "eye", std::vector<double>{0.0, 0.0, 5.0})};
    for (const char* node : {"a", "b"}) {
        all.push_back(control(node, "camera.mode", std::string("free")));
        all.push_back(control(node, "camera.position", std::vector<double>{9.0, 9.0, 9.0}, "$eye"));
        all.push_back(control(node, "camera.target", std::vector<double>{0.0, 0.0, 0.0}));
    }
    return all;
}

TEST(CameraRig, moves_all_cameras_that_agree) {
    const auto rig = CameraRig::find(two_cameras(), {});
    ASSERT_TRUE(rig);
    EXPECT_THAT(rig->nodes(), testing::ElementsAre("a", "b"));
    EXPECT_EQ(rig->pose().position, glm::dvec3(0.0, 0.0, 5.0)) << "as the config's parameter says";
    Edits edits;
    rig->apply(dolly(rig->pose(), 1.0), edits);
    EXPECT_EQ(edits.size(), 2u) << "the target has not moved";
    EXPECT_EQ(edits.at({"a", "camera.position"}), "[0,0,4.5]");
    EXPECT_EQ(edits.at({"b", "camera.position"}), "[0,0,4.5]");
    const auto again = CameraRig::find(two_cameras(), edits);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->pose().position, glm::dvec3(0.0, 0.0, 4.5));
    again->reset(edits);
    EXPECT_TRUE(edits.empty());
}

TEST(CameraRig, leaves_cameras_elsewhere_alone) {
    std::vector<Control> controls = two_cameras();
    controls.back().key.node = "c";
    controls.push_back(control("c", "camera.mode", std::string("orbit")));
    const auto rig = CameraRig::find(controls, {});
    ASSERT_TRUE(rig);
    EXPECT_THAT(rig->nodes(), testing::Not(testing::Contains("c")));
    EXPECT_FALSE(CameraRig::find({control("", "eye", 1.0)}, {}));
}

} // namespace
} // namespace tuff::viewer
