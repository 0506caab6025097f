#include "tests/gpu/bodies/bodies_test.hpp"

#include <glm/geometric.hpp>

#include <cmath>

/// Closed forms and laws of conservation.
namespace tuff {
namespace {

using passes::BodyList;
using testing_gpu::BodyState;
using testing_gpu::Running;

constexpr double kGravity = 9.81;

class BodiesLaws : public testing_gpu::BodiesTest {};

// Check 4, analytic: the speed of impact, and what comes back.
TEST_F(BodiesLaws, ASphereThatFallsArrivesAndBouncesAsItShould) {
    for (const float restitution : {0.0f, 0.5f, 1.0f}) {
        BodyList list;
        list.plane({.restitution = 0.0f});
        list.sphere(0.5f, {.place = {0.0f, 2.5f, 0.0f}, .restitution = restitution});
        Simulate pass = few(10);
        pass.dt = 1.0f / 960.0f;
        Running running = begin(list, pass);
        double fastest = 0.0;
        double after = 0.0;
        for (int i = 0; i < 65; ++i) {
            running.execute();
            const double v = static_cast<double>(state_of(running).motions[1].velocity.y);
            fastest = std::max(fastest, -v);
            after = std::max(after, v);
        }
        const double impact = std::sqrt(2.0 * kGravity * 2.0);
        // A look every ten steps misses up to 0.1 m/s.
        EXPECT_NEAR(fastest, impact, 0.005 * impact + 0.11);
        EXPECT_NEAR(after, static_cast<double>(restitution) * impact, 0.01 * impact + 0.11);
    }
}

// Check 4, analytic: g (sin - mu cos) where tan > mu, at rest where it is less.
TEST_F(BodiesLaws, ABoxOnASlopeSlidesWhereItIsSteepEnough) {
    for (const double angle : {0.3, 0.6}) {
        const glm::quat tilt =
            glm::angleAxis(static_cast<float>(angle), glm::vec3(0.0f, 0.0f, 1.0f));
        BodyList list;
        list.plane({.turn = tilt, .friction = 0.5f});
        list.box(glm::vec3(0.5f, 0.25f, 0.5f),
                 {.place = tilt * glm::vec3(0.0f, 0.25f, 0.0f), .turn = tilt, .friction = 0.5f});
        Simulate pass = few(60);
        pass.dt = 1.0f / 240.0f;
        Running running = begin(list, pass);
        running.execute();
        const glm::vec3 first = state_of(running).motions[1].velocity;
        running.execute(4);
        const glm::vec3 second = state_of(running).motions[1].velocity;
        const double speed = static_cast<double>(glm::length(second - first));
        const double expected =
            std::tan(angle) > 0.5 ? kGravity * (std::sin(angle) - 0.5 * std::cos(angle)) : 0.0;
        EXPECT_NEAR(speed, expected, std::max(0.01 * expected, 1e-3)) << angle;
    }
}

TEST_F(BodiesLaws, TheSumOfImpulsesBelowATowerIsItsWeight) {
    BodyList list;
    list.plane({});
    for (int i = 0; i < 10; ++i)
        list.box(glm::vec3(0.5f), {.place = {0.0f, 0.5f + static_cast<float>(i), 0.0f}});
    Simulate pass = few(40);
    pass.dt = 1.0f / 240.0f;
    const BodyState state = simulated(list, pass, 60);
    ASSERT_EQ(state.places.size(), 11u);
    for (std::size_t i = 1; i <= 10; ++i) {
        EXPECT_NEAR(state.places[i].x, 0.0f, 0.01f * static_cast<float>(i)) << i;
        EXPECT_NEAR(state.places[i].y, static_cast<float>(i) - 0.5f, 0.01f * static_cast<float>(i));
    }
    EXPECT_LT(state.status.penetration(), 0.01f);
    EXPECT_EQ(state.status.contacts, 10u);
    EXPECT_EQ(state.status.points, 40u);
}

} // namespace
} // namespace tuff
