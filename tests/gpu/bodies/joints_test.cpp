#include "passes/bodies/scene.hpp"
#include "tests/gpu/bodies/bodies_test.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>

/// Joints, sleep, and bodies that are fast.
namespace tuff {
namespace {

using passes::BodyList;
using passes::JointKind;
using passes::SolverMethod;
using testing_gpu::BodyState;
using testing_gpu::Running;

class BodiesJoints : public testing_gpu::BodiesTest {
  protected:
    static glm::vec3 anchor(const BodyState& state, std::uint32_t body, glm::vec3 local) {
        const glm::vec4 q = state.turns[body];
        return glm::vec3(state.places[body]) + glm::quat(q.w, q.x, q.y, q.z) * local;
    }
};

// The period of a pendulum of a ball on a rod: T = 2 pi sqrt((l^2 + 2/5 r^2) / (g l)), larger by
// theta^2 / 16.
TEST_F(BodiesJoints, APendulumSwingsInItsPeriod) {
    TUFF_ONLY_ON(lavapipe);
    for (const JointKind kind : {JointKind::ball, JointKind::hinge}) {
        BodyList list;
        list.box(glm::vec3(0.1f), {.place = {0.0f, 2.0f, 0.0f}, .mass = 0.0f});
        const float angle = 0.3f;
        const glm::vec3 from(std::sin(angle), -std::cos(angle), 0.0f);
        list.sphere(0.2f, {.place = glm::vec3(0.0f, 2.0f, 0.0f) + from});
        list.joint(kind, 0, 1, {0.0f, 2.0f, 0.0f});
        Simulate pass = few(4);
        pass.dt = 1.0f / 480.0f;
        Running running = begin(list, pass);
        double crossed = 0.0;
        double before = 1.0;
        for (int i = 1; i <= 100 && crossed == 0.0; ++i) {
            running.execute();
            const double x = static_cast<double>(state_of(running).places[1].x);
            if (x < 0.0) crossed = (i - 1 + before / (before - x)) * 4.0 / 480.0;
            before = x;
        }
        const double period = 2.0 * 3.14159265358979 * std::sqrt((1.0 + 0.4 * 0.04) / 9.81) *
                              (1.0 + 0.3 * 0.3 / 16.0);
        EXPECT_NEAR(4.0 * crossed, period, 0.01 * period);
        running.execute(30);
        const BodyState state = state_of(running);
        EXPECT_NEAR(glm::length(glm::vec3(state.places[1]) - glm::vec3(0.0f, 2.0f, 0.0f)), 1.0f,
                    2e-3f);
        EXPECT_NEAR(state.places[1].z, 0.0f, 1e-3f);
    }
}

TEST_F(BodiesJoints, AMotorTurnsAHingeUpToItsLimit) {
    for (const bool limited : {false, true}) {
        BodyList list;
        list.box(glm::vec3(0.1f), {.mass = 0.0f});
        list.box({0.5f, 0.1f, 0.1f}, {.place = {0.5f, 0.0f, 0.0f}});
        passes::JointRecord& joint = list.joint(JointKind::hinge, 0, 1, glm::vec3(0.0f));
        joint.parts = limited ? 3 : 2;
        joint.speed = 2.0f; // the bodies of a joint do not touch
        joint.strength = 100.0f;
        joint.low = -0.5f;
        joint.high = 1.0f;
        Simulate pass = few(30);
        pass.dt = 1.0f / 240.0f;
        pass.gravity = glm::vec3(0.0f);
        const BodyState state = simulated(list, pass, 8); // a second
        const double angle = std::atan2(static_cast<double>(state.places[1].y),
                                        static_cast<double>(state.places[1].x));
        EXPECT_NEAR(angle, limited ? 1.0 : 2.0, 0.03);
        EXPECT_NEAR(state.motions[1].spin.z, limited ? 0.0f : 2.0f, 0.02f);
        EXPECT_NEAR(state.motions[1].spin.x, 0.0f, 1e-3f);
    }
}

TEST_F(BodiesJoints, ASliderFallsAlongItsAxisWithoutTurning) {
    BodyList list;
    list.box(glm::vec3(0.1f), {.mass = 0.0f});
    list.box({0.3f, 0.2f, 0.1f}, {.place = {1.0f, 0.0f, 0.0f}});
    const glm::vec3 axis = glm::normalize(glm::vec3(1.0f, -1.0f, 0.0f));
    passes::JointRecord& joint = list.joint(JointKind::slider, 0, 1, {1.0f, 0.0f, 0.0f}, axis);
    joint.parts = 1;
    joint.low = -1.0f;
    joint.high = 0.8f;
    Simulate pass = few(24);
    pass.dt = 1.0f / 240.0f;
    Running running = begin(list, pass);
    running.execute(2); // a fifth of a second
    const BodyState falling = state_of(running);
    const glm::vec3 way = glm::vec3(falling.places[1]) - glm::vec3(1.0f, 0.0f, 0.0f);
    const float expected = 0.5f * 9.81f * std::sqrt(0.5f) * 0.2f * 0.2f;
    EXPECT_NEAR(glm::dot(way, axis), expected, 0.03f * expected + 2e-3f);
    EXPECT_LT(glm::length(way - glm::dot(way, axis) * axis), 2e-3f);
    running.execute(15);
    const BodyState stopped = state_of(running);
    EXPECT_NEAR(glm::dot(glm::vec3(stopped.places[1]) - glm::vec3(1.0f, 0.0f, 0.0f), axis), 0.8f,
                0.01f);
    EXPECT_NEAR(stopped.turns[1].w, 1.0f, 1e-4f);
}

TEST_F(BodiesJoints, AChainHangsTogether) {
    for (const SolverMethod method :
         {SolverMethod::two_level, SolverMethod::jacobi, SolverMethod::soft}) {
        Graph g = graph();
        const auto list = passes::make_bodies(
            g, {.preset = passes::ScenePreset::chain, .count = 8, .size = 0.5f});
        ASSERT_TRUE(list);
        Simulate pass = few(20);
        pass.dt = method == SolverMethod::soft ? 1.0f / 60.0f : 1.0f / 240.0f;
        pass.solver.method = method;
        pass.solver.iterations = 20;
        const BodyState state = simulated(*list, pass, 6);
        for (const passes::JointRecord& joint : list->joints) {
            const float gap = glm::length(anchor(state, joint.first, joint.first_anchor) -
                                          anchor(state, joint.second, joint.second_anchor));
            // The parts of split masses converge slowly.
            EXPECT_LT(gap, method == SolverMethod::jacobi ? 0.3f : 0.02f)
                << static_cast<int>(method);
        }
    }
}

// Vertex block descent holds joints of all kinds, drives motors and keeps to limits: a second of
// each in one scene.
TEST_F(BodiesJoints, AreHeldByVertexBlockDescent) {
    BodyList list;
    const auto post = [&](glm::vec3 place) {
        return list.box(glm::vec3(0.1f), {.place = place, .mass = 0.0f});
    };
    // A pendulum of 0.3 radians on a hinge.
    const std::uint32_t nail = post({0.0f, 2.0f, 0.0f});
    const glm::vec3 hangs(std::sin(0.3f), 2.0f - std::cos(0.3f), 0.0f);
    const std::uint32_t bob = list.sphere(0.2f, {.place = hangs});
    list.joint(JointKind::hinge, nail, bob, {0.0f, 2.0f, 0.0f});
    // Motors, the second up to its limit.
    std::array<std::uint32_t, 2> arms{};
    for (const std::uint32_t limited : {0u, 1u}) {
        const glm::vec3 at(5.0f + 5.0f * static_cast<float>(limited), 0.0f, 0.0f);
        const std::uint32_t hub = post(at);
        arms[limited] = list.box({0.5f, 0.1f, 0.1f}, {.place = at + glm::vec3(0.5f, 0.0f, 0.0f)});
        passes::JointRecord& joint = list.joint(JointKind::hinge, hub, arms[limited], at);
        joint.parts = limited != 0 ? 3 : 2;
        joint.speed = 2.0f;
        joint.strength = 100.0f;
        joint.low = -0.5f;
        joint.high = 1.0f;
    }
    // A slider that falls to its end.
    const glm::vec3 axis = glm::normalize(glm::vec3(1.0f, -1.0f, 0.0f));
    const glm::vec3 rail_at(15.0f, 0.0f, 0.0f);
    const std::uint32_t rail = post(rail_at);
    const std::uint32_t cart =
        list.box({0.3f, 0.2f, 0.1f}, {.place = rail_at + glm::vec3(1.0f, 0.0f, 0.0f)});
    passes::JointRecord& slider =
        list.joint(JointKind::slider, rail, cart, rail_at + glm::vec3(1.0f, 0.0f, 0.0f), axis);
    slider.parts = 1;
    slider.low = -1.0f;
    slider.high = 0.8f;
    // A chain of four balls.
    std::uint32_t before = post({20.0f, 0.0f, 0.0f});
    for (int i = 0; i < 4; ++i) {
        const float x = 20.0f + 0.5f * static_cast<float>(i);
        const std::uint32_t link = list.sphere(0.1f, {.place = {x + 0.25f, 0.0f, 0.0f}});
        list.joint(JointKind::ball, before, link, {x, 0.0f, 0.0f});
        before = link;
    }
    Simulate pass = few(10);
    pass.dt = 1.0f / 60.0f;
    pass.solver.method = SolverMethod::avbd;
    pass.solver.iterations = 6;
    Running running = begin(list, pass);
    running.execute(3);
    // A quarter of the period is 0.508 s.
    EXPECT_NEAR(state_of(running).places[bob].x, 0.0f, 0.03f);
    running.execute(3);
    const BodyState state = state_of(running);
    for (const passes::JointRecord& joint : list.joints)
        if (joint.kind != static_cast<std::uint32_t>(JointKind::slider)) {
            EXPECT_LT(glm::length(anchor(state, joint.first, joint.first_anchor) -
                                  anchor(state, joint.second, joint.second_anchor)),
                      0.02f)
                << joint.second;
        }
    EXPECT_NEAR(state.places[bob].z, 0.0f, 1e-3f);
    for (const std::uint32_t limited : {0u, 1u}) {
        const glm::vec3 arm = glm::vec3(state.places[arms[limited]]) -
                              glm::vec3(5.0f + 5.0f * static_cast<float>(limited), 0.0f, 0.0f);
        EXPECT_NEAR(std::atan2(arm.y, arm.x), limited != 0 ? 1.0f : 2.0f, 0.05f);
        EXPECT_NEAR(state.motions[arms[limited]].spin.z, limited != 0 ? 0.0f : 2.0f, 0.05f);
        EXPECT_NEAR(state.motions[arms[limited]].spin.x, 0.0f, 1e-3f);
    }
    const glm::vec3 way = glm::vec3(state.places[cart]) - rail_at - glm::vec3(1.0f, 0.0f, 0.0f);
    EXPECT_NEAR(glm::dot(way, axis), 0.8f, 0.02f);
    EXPECT_LT(glm::length(way - glm::dot(way, axis) * axis), 5e-3f);
    EXPECT_NEAR(state.turns[cart].w, 1.0f, 1e-4f);
}

// Bad input: a joint of a body with itself, and of bodies that do not exist, does nothing.
TEST_F(BodiesJoints, OfNobodyDoNothing) {
    BodyList list;
    list.sphere(0.5f, {.place = {0.0f, 5.0f, 0.0f}});
    list.sphere(0.5f, {.place = {3.0f, 5.0f, 0.0f}});
    list.joints.push_back({.first = 1, .second = 1});
    list.joints.push_back({.first = 0, .second = 77});
    const BodyState state = simulated(list, few(10), 1);
    const float fall = 9.81f / 3600.0f * 55.0f;
    EXPECT_NEAR(state.places[0].y, 5.0f - fall, 1e-4f);
    EXPECT_NEAR(state.places[1].y, 5.0f - fall, 1e-4f);
    Graph g = graph();
    g.output("places", list.upload(g).places);
    const GraphDesc desc = std::move(g).finish();
    EXPECT_EQ(std::ranges::count(desc.diagnostics, "bodies/bad-joint", &Diagnostic::code), 1);
}

class BodiesSleep : public testing_gpu::BodiesTest {};

TEST_F(BodiesSleep, FallsOnIslandsThatAreQuietAndEndsWhereTheyAreHit) {
    BodyList list;
    list.plane({});
    for (int i = 0; i < 3; ++i) // a tower, and one box apart
        list.box(glm::vec3(0.5f), {.place = {0.0f, 0.5f + static_cast<float>(i), 0.0f}});
    list.box(glm::vec3(0.5f), {.place = {8.0f, 0.5f, 0.0f}});
    list.sphere(0.4f, {.place = {0.0f, 16.0f, 0.0f}}); // falls on the tower after 1.6 s
    Simulate pass = few(30);
    pass.sleep.speed = 0.1f;
    pass.sleep.after = 0.3f;
    Running running = begin(list, pass);
    running.execute(3);
    BodyState state = state_of(running);
    EXPECT_EQ(state.status.asleep, 4u);
    for (std::size_t i = 1; i <= 4; ++i)
        EXPECT_EQ(glm::length(state.motions[i].velocity), 0.0f);
    EXPECT_LT(state.motions[5].velocity.y, -10.0f);
    running.execute(1);
    state = state_of(running);
    EXPECT_EQ(state.status.asleep, 1u); // the box apart sleeps on
    running.execute(8);
    state = state_of(running);
    EXPECT_GE(state.status.asleep, 4u);
}

class BodiesFast : public testing_gpu::BodiesTest {};

TEST_F(BodiesFast, DoNotPassThroughAThinWallWhereTheyReachFarEnough) {
    for (const bool reaches : {false, true}) {
        BodyList list;
        list.box({0.02f, 2.0f, 2.0f}, {.mass = 0.0f});
        list.sphere(0.1f, {.place = {-3.0f, 0.3f, 0.2f}, .velocity = {100.0f, 0.0f, 0.0f}});
        list.box(glm::vec3(0.1f),
                 {.place = {-3.0f, -0.7f, 0.2f}, .velocity = {150.0f, 0.0f, 0.0f}});
        Simulate pass = few(10);
        pass.gravity = glm::vec3(0.0f);
        pass.reach = reaches ? 3.0f : 0.0f;
        const BodyState state = simulated(list, pass, 1);
        for (std::size_t i = 1; i <= 2; ++i) {
            EXPECT_EQ(state.places[i].x < 0.0f, reaches) << i;
            if (reaches) {
                EXPECT_GT(state.places[i].x, -0.3f) << i; // it came to the wall
            }
        }
    }
}

} // namespace
} // namespace tuff
