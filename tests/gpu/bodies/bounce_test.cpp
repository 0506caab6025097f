#include "passes/bodies/scene.hpp"
#include "tests/gpu/bodies/bodies_test.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

/// Impacts that follow each other, and contacts that yield.
namespace tuff {
namespace {

using passes::BodyList;
using passes::SolverMethod;
using testing_gpu::BodyState;
using testing_gpu::Running;

constexpr double kGravity = 9.81;

class BodiesBounce : public testing_gpu::BodiesTest {
  protected:
    /// Five spheres of mass 1 and radius a quarter that hang at a beam, the first lifted by 0.6
    /// radians.
    BodyList cradle() {
        Graph g = graph();
        return passes::make_bodies(g, {.preset = passes::ScenePreset::cradle,
                                       .count = 5,
                                       .size = 0.5f,
                                       .gap = 0.002f,
                                       .restitution = 1.0f})
            .value_or(BodyList{});
    }
    static Simulate swing() {
        Simulate pass = few(12);
        pass.dt = 1.0f / 120.0f;
        pass.solver.threshold = 0.05f;
        pass.solver.bounces = 8;
        return pass;
    }
    /// Kinetic and potential energy of the cradle, above that of spheres that hang.
    static double energy_of(const BodyState& state) {
        double energy = 0.0;
        for (std::size_t i = 1; i < state.places.size(); ++i) {
            const glm::dvec3 v(state.motions[i].velocity);
            const glm::dvec3 w(state.motions[i].spin);
            energy += 0.5 * glm::dot(v, v) + 0.5 * 0.4 * 0.0625 * glm::dot(w, w) +
                      kGravity * static_cast<double>(state.places[i].y);
        }
        return energy;
    }
    /// One sphere of `state` has nearly the speed, the others hardly move.
    static void expect_alone(const BodyState& state, std::size_t alone, double speed) {
        for (std::size_t i = 1; i <= 5; ++i)
            EXPECT_NEAR(state.motions[i].velocity.x, i == alone ? speed : 0.0,
                        i == alone ? 0.03 * std::abs(speed) : 0.03)
                << i << " with " << alone;
    }
};

// The gaps close within one step. A sphere on its string weighs 1 + 0.4 (r / L)^2 of what it does
// free, which an impact at its middle does not know: twice 0.6 % of the energy an impact.
TEST_F(BodiesBounce, ACradlePassesTheBlowToTheLastAndBack) {
    TUFF_ONLY_ON(lavapipe);
    const BodyList list = cradle();
    ASSERT_EQ(list.size(), 6u);
    for (const SolverMethod method : {SolverMethod::two_level, SolverMethod::soft}) {
        Simulate pass = swing();
        pass.solver.method = method;
        Running running = begin(list, pass);
        ASSERT_TRUE(running);
        running.execute(7);
        const BodyState falling = state_of(running);
        const auto fastest = static_cast<double>(falling.motions[1].velocity.x);
        EXPECT_NEAR(fastest, std::sqrt(2.0 * kGravity * 2.0 * (1.0 - std::cos(0.6))), 0.06);
        expect_alone(falling, 1, fastest);
        running.execute();
        const BodyState there = state_of(running);
        expect_alone(there, 5, fastest);
        EXPECT_NEAR(energy_of(there), energy_of(falling), 0.02 * energy_of(falling));
        if (method == SolverMethod::soft) break;
        running.execute(14);
        const BodyState back = state_of(running);
        expect_alone(back, 1, -fastest);
        EXPECT_NEAR(energy_of(back), energy_of(falling), 0.04 * energy_of(falling));
    }
}

/// Spheres in a row, the first of which comes at 2 m/s.
BodyList row() {
    BodyList list;
    for (int i = 0; i < 5; ++i)
        list.sphere(
            0.5f, {.place = {1.002f * static_cast<float>(i) - (i == 0 ? 0.02f : 0.0f), 0.0f, 0.0f},
                   .velocity = {i == 0 ? 2.0f : 0.0f, 0.0f, 0.0f},
                   .friction = 0.0f,
                   .restitution = 1.0f});
    return list;
}

// Free spheres exchange their velocities, by all methods and in several cells.
TEST_F(BodiesBounce, ARowOfFreeSpheresPassesAllSpeedOn) {
    TUFF_ONLY_ON(lavapipe);
    const BodyList list = row();
    const auto after = [&](SolverMethod method, std::uint32_t bounces) {
        Simulate pass = few(8);
        pass.dt = 1.0f / 240.0f;
        pass.gravity = glm::vec3(0.0f);
        pass.solver.method = method;
        pass.solver.iterations = 4;
        pass.solver.substeps = 2;
        pass.solver.bounces = bounces;
        if (method == SolverMethod::two_level) pass.split = {8, 1, 1};
        return simulated(list, pass);
    };
    for (const SolverMethod method :
         {SolverMethod::two_level, SolverMethod::soft, SolverMethod::jacobi, SolverMethod::avbd}) {
        const BodyState state = after(method, 4);
        for (std::size_t i = 0; i < 5; ++i)
            EXPECT_NEAR(state.motions[i].velocity.x, i == 4 ? 2.0f : 0.0f, 1e-3f)
                << static_cast<int>(method) << " " << i;
    }
    // Otherwise they share the blow, and energy is lost.
    const BodyState shared = after(SolverMethod::two_level, 0);
    EXPECT_LT(shared.motions[4].velocity.x, 1.9f);
}

// A box that falls flat rises flat, with the restitution's share of its speed. A ball that slides
// rolls after its impact: friction of 0.5 is more than that takes.
TEST_F(BodiesBounce, BoxesRiseFlatAndBallsRoll) {
    BodyList list;
    list.plane({.restitution = 0.0f});
    list.box({0.3f, 0.2f, 0.4f},
             {.place = {0.0f, 0.22f, 0.0f}, .velocity = {0.0f, -3.0f, 0.0f}, .restitution = 0.5f});
    list.sphere(
        0.5f,
        {.place = {5.0f, 0.501f, 0.0f}, .velocity = {1.0f, -3.0f, 0.0f}, .restitution = 0.5f});
    Simulate pass = few(3);
    pass.gravity = glm::vec3(0.0f);
    pass.solver.bounces = 2;
    const BodyState state = simulated(list, pass);
    ASSERT_EQ(state.motions.size(), 3u);
    EXPECT_NEAR(state.motions[1].velocity.y, 1.5f, 1e-4f);
    EXPECT_LT(glm::length(state.motions[1].spin), 1e-4f);
    EXPECT_NEAR(state.motions[2].velocity.y, 1.5f, 1e-4f);
    EXPECT_NEAR(state.motions[2].velocity.x, 5.0f / 7.0f, 1e-3f);
    EXPECT_NEAR(state.motions[2].spin.z, -10.0f / 7.0f, 2e-3f);
}

// Each contact of a tower of ten sinks by the slop and by load / (m omega^2): a corner of a cube
// has a quarter of its mass against the ground, and an eighth against another cube.
TEST_F(BodiesBounce, SoftTowersSinkAsFarAsTheirSpringsYield) {
    TUFF_ONLY_ON(lavapipe);
    BodyList list;
    list.plane({});
    for (int i = 0; i < 10; ++i)
        list.box(glm::vec3(0.5f), {.place = {0.0f, 0.5f + static_cast<float>(i), 0.0f}});
    for (const double frequency : {30.0, 90.0}) {
        Simulate pass = few(30);
        pass.dt = 1.0f / 120.0f;
        pass.solver.method = SolverMethod::soft;
        pass.solver.frequency = static_cast<float>(frequency);
        pass.solver.slop = frequency > 30.0 ? 0.0005f : 0.005f;
        const BodyState state = simulated(list, pass, 6);
        ASSERT_EQ(state.places.size(), 11u);
        const double omega = 2.0 * std::numbers::pi * frequency;
        double sunk = 0.0;
        for (std::size_t i = 1; i <= 10; ++i) {
            const double carried = kGravity * static_cast<double>(11 - i);
            sunk += static_cast<double>(pass.solver.slop) +
                    (i == 1 ? 1.0 : 2.0) * carried / (omega * omega);
            EXPECT_NEAR(static_cast<double>(list.places[i].y - state.places[i].y), sunk,
                        0.03 * sunk)
                << frequency << " " << i;
        }
    }
}

} // namespace
} // namespace tuff
