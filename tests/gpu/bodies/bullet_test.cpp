#include "passes/bodies/scene.hpp"
#include "tests/gpu/bodies/bullet_world.hpp"

#include <glm/geometric.hpp>

#include <cmath>

/// The same scenes by Bullet: ours overlap no more, and drift no more.
namespace tuff {
namespace {

using passes::BodyList;
using passes::SolverMethod;
using testing_gpu::BodyState;
using testing_gpu::Running;

/// How well a pile stands: the farthest that a body has moved sideways, and how far the pile has
/// sunk.
struct Standing {
    double drift = 0.0;
    double sunk = 0.0;
    double fastest = 0.0;
};

class BodiesBullet : public testing_gpu::BodiesTest {
  protected:
    BodyList made(const passes::MakeBodies& scene) {
        Graph g = graph();
        return passes::make_bodies(g, scene).value_or(BodyList{});
    }
};

#ifdef TUFF_HAS_BULLET

using testing_gpu::BulletWorld;

BodyState by_bullet(const BodyList& list, float dt, int steps) {
    BulletWorld world(list);
    world.step(dt, steps);
    return world.state();
}

Standing of(const BodyList& list, const BodyState& state) {
    Standing standing;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (list.places[i].w == 0.0f) continue;
        const glm::dvec3 moved = glm::dvec3(state.places[i]) - glm::dvec3(list.places[i]);
        standing.drift = std::max(standing.drift, std::hypot(moved.x, moved.z));
        standing.sunk = std::max(standing.sunk, -moved.y);
        standing.fastest =
            std::max(standing.fastest, double(glm::length(state.motions[i].velocity)));
    }
    return standing;
}

// Judge: a tower of five and a pyramid of four rows, two seconds.
TEST_F(BodiesBullet, PilesStandAsWellAsBullets) {
    for (const bool pyramid : {false, true}) {
        BodyList list;
        list.plane({});
        if (pyramid)
            for (int row = 0; row < 4; ++row)
                for (int i = 0; i + row < 4; ++i)
                    list.box(glm::vec3(0.5f), {.place = {1.05f * (static_cast<float>(i) +
                                                                  0.5f * static_cast<float>(row)),
                                                         0.5f + static_cast<float>(row), 0.0f}});
        else
            for (int i = 0; i < 5; ++i)
                list.box(glm::vec3(0.5f), {.place = {0.0f, 0.5f + static_cast<float>(i), 0.0f}});
        Simulate pass = few(30);
        pass.dt = 1.0f / 120.0f;
        const Standing ours = of(list, simulated(list, pass, 8));
        const Standing theirs = of(list, by_bullet(list, pass.dt, 240));
        // Bullet keeps a margin about shapes, which may lift piles instead.
        EXPECT_LT(ours.drift, theirs.drift + 0.01) << pyramid;
        EXPECT_LT(ours.sunk, std::max(theirs.sunk, 0.0) + 0.01) << pyramid;
        EXPECT_LT(ours.fastest, theirs.fastest + 0.05) << pyramid;
    }
}

// A box at 3 m/s stops after v^2 / 2 mu g; the velocity after each step moves it, so that it goes
// v dt / 2 less.
TEST_F(BodiesBullet, ABoxSlidesAsFarAsBullets) {
    BodyList list;
    list.plane({});
    list.box({0.4f, 0.2f, 0.3f}, {.place = {0.0f, 0.2f, 0.0f}, .velocity = {3.0f, 0.0f, 0.0f}});
    Simulate pass = few(20);
    pass.dt = 1.0f / 120.0f;
    const BodyState ours = simulated(list, pass, 4);
    const BodyState theirs = by_bullet(list, pass.dt, 80);
    ASSERT_EQ(ours.places.size(), 2u);
    const double way = 9.0 / (2.0 * 0.5 * 9.81) - 3.0 * 0.5 / 120.0;
    EXPECT_NEAR(ours.places[1].x, way, 1e-3);
    EXPECT_NEAR(theirs.places[1].x, way, 5e-3);
    EXPECT_NEAR(ours.motions[1].velocity.x, 0.0f, 1e-5f);
    EXPECT_LE(ours.status.penetration(), theirs.status.penetration() + 1e-4f);
    EXPECT_LT(std::abs(ours.places[1].z), std::abs(theirs.places[1].z) + 1e-4f);
}

TEST_F(BodiesBullet, ATowerOfTenStandsAsWellAsBullets) {
    TUFF_ONLY_ON(lavapipe);
    const BodyList list = made({.preset = passes::ScenePreset::stack, .count = 10});
    Simulate pass = few(30);
    pass.dt = 1.0f / 120.0f;
    const BodyState after = simulated(list, pass, 8);
    const BodyState bullets = by_bullet(list, pass.dt, 240);
    const Standing ours = of(list, after);
    const Standing theirs = of(list, bullets);
    EXPECT_LT(ours.drift, theirs.drift + 1e-3);
    EXPECT_LT(ours.sunk, theirs.sunk + 2e-3);
    EXPECT_LT(ours.fastest, theirs.fastest + 1e-3);
    EXPECT_LT(after.status.penetration(), bullets.status.penetration() + 1e-3f);
}

// Two storeys of cards of 2 cm, as graph "stack" has them. Soft contacts press in by a tenth of a
// card, where Bullet's barely do; its cards slide instead.
TEST_F(BodiesBullet, AHouseOfCardsStandsBetterThanBullets) {
    TUFF_ONLY_ON(lavapipe);
    const BodyList list =
        made({.preset = passes::ScenePreset::cards, .count = 2, .mass = 0.1f, .friction = 0.8f});
    Simulate pass = few(30);
    pass.dt = 1.0f / 120.0f;
    pass.margin = 0.004f;
    pass.solver.method = SolverMethod::soft;
    pass.solver.slop = 0.0005f;
    const BodyState after = simulated(list, pass, 4);
    const Standing ours = of(list, after);
    const Standing theirs = of(list, by_bullet(list, pass.dt, 120));
    EXPECT_LT(ours.drift, 0.1 * theirs.drift);
    EXPECT_LT(ours.sunk, theirs.sunk);
    EXPECT_LT(ours.fastest, 0.1 * theirs.fastest);
    EXPECT_LT(after.status.penetration(), 0.1f * 0.02f);
}

/// Kinetic and potential energy of the spheres, of mass 1 and radius a quarter, that hang at a
/// beam.
double cradle_energy(const BodyState& state) {
    double energy = 0.0;
    for (std::size_t i = 1; i < state.places.size(); ++i) {
        const glm::dvec3 v(state.motions[i].velocity);
        const glm::dvec3 w(state.motions[i].spin);
        energy += 0.5 * glm::dot(v, v) + 0.5 * 0.4 * 0.0625 * glm::dot(w, w) +
                  9.81 * static_cast<double>(state.places[i].y);
    }
    return energy;
}

// Newton's cradle from 0.6 radians. The gaps are within a step's margin, so the impulses of all
// contacts are found together, and neither engine gives all of the speed to the last sphere: ours
// loses a fifth of the energy, and Bullet's nearly doubles it. Momentum is kept.
TEST_F(BodiesBullet, NewtonsCradleIsNearerToItsEnergyThanBullets) {
    TUFF_ONLY_ON(lavapipe);
    const BodyList list = made({.preset = passes::ScenePreset::cradle,
                                .count = 5,
                                .size = 0.5f,
                                .gap = 0.002f,
                                .restitution = 1.0f});
    Simulate pass = few(24);
    pass.dt = 1.0f / 240.0f;
    pass.solver.iterations = 20;
    pass.solver.threshold = 0.05f;
    Running running = begin(list, pass);
    ASSERT_TRUE(running);
    BulletWorld world(list);
    running.execute(7);
    world.step(pass.dt, 7 * 24);
    // It falls as Bullet's does; it does not touch the others yet.
    const BodyState falling = state_of(running);
    const BodyState theirs_falling = world.state();
    for (std::size_t i = 1; i <= 5; ++i)
        EXPECT_LT(glm::length(glm::vec3(falling.places[i] - theirs_falling.places[i])), 1e-3f);
    EXPECT_NEAR(falling.motions[1].velocity.x, std::sqrt(2.0 * 9.81 * 2.0 * (1.0 - std::cos(0.6))),
                0.03);
    running.execute();
    world.step(pass.dt, 24);
    const BodyState ours = state_of(running);
    const double before = cradle_energy(falling);
    const double lost = before - cradle_energy(ours);
    EXPECT_GT(lost, -0.01 * before);
    EXPECT_LT(lost, std::abs(before - cradle_energy(world.state())));
    EXPECT_LT(lost, 0.25 * before);
    double momentum = 0.0;
    for (std::size_t i = 1; i <= 5; ++i) {
        momentum += static_cast<double>(ours.motions[i].velocity.x);
        if (i > 1) {
            EXPECT_GT(ours.motions[i].velocity.x, ours.motions[i - 1].velocity.x);
        }
        EXPECT_NEAR(
            glm::length(glm::vec3(ours.places[i]) - glm::vec3(list.places[i].x, 2.0f, 0.0f)), 2.0f,
            i > 1 ? 1e-2f : 2.0f); // the first one began elsewhere
    }
    EXPECT_NEAR(momentum, static_cast<double>(falling.motions[1].velocity.x), 0.1);
}

#endif

} // namespace
} // namespace tuff
