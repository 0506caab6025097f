#include "passes/particles/collide.hpp"
#include "passes/particles/integrate.hpp"
#include "passes/particles/simulate.hpp"
#include "tests/gpu/particles/particle_test.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <string>

/// Particles with orientations, spins and masses.
namespace tuff {
namespace {

using passes::CollideParticles;
using passes::CollisionMethod;
using passes::IntegrateParticles;
using passes::Particles;
using testing_gpu::random_vectors;
using testing_gpu::Running;
using testing_gpu::Vectors;

constexpr float kTick = 1.0f / 100.0f;
constexpr passes::BoxParameters kRoomy{.low = glm::vec3(-1e4f), .high = glm::vec3(1e4f)};
constexpr passes::SphereParameters kNoBall{.center = glm::vec3(0.0f), .radius = 0.0f};

/// q + dt/2 (0, w) q, of unit length.
glm::dvec4 turned(glm::dvec4 q, glm::dvec3 w, double dt) {
    const glm::dvec3 v(q);
    const glm::dvec4 change(q.w * w + glm::cross(w, v), -glm::dot(w, v));
    return glm::normalize(q + 0.5 * dt * change);
}

class ParticleBodies : public testing_gpu::ParticleTest {
  protected:
    Particles bodies(Graph& g, const Vectors& positions, const Vectors& velocities,
                     const Vectors& orientations, const Vectors& spins, float radius) {
        Particles all = particles(g, positions, velocities, radius);
        const Particles more = particles(g, orientations, spins, radius);
        all.orientations = more.positions;
        all.spins = more.velocities;
        return all;
    }
    static Vectors unit_quaternions(std::size_t count) {
        Vectors all = random_vectors(count, glm::vec3(-1.0f), glm::vec3(1.0f), 31);
        for (glm::vec4& q : all)
            q = glm::normalize(glm::vec4(glm::vec3(q), 0.3f));
        return all;
    }
    static Vectors spins_and_masses(std::size_t count) {
        Vectors all = random_vectors(count, glm::vec3(-20.0f), glm::vec3(20.0f), 32);
        for (std::size_t i = 0; i < count; ++i)
            all[i].w = 0.25f * static_cast<float>(1 + i % 9);
        return all;
    }
    static IntegrateParticles one_step(const Particles& source) {
        return {.source = source, .dt = kTick, .damping = 0.0f, .box = kRoomy, .sphere = kNoBall};
    }
};

TEST_F(ParticleBodies, TurnAsInDoublePrecisionAndStayOfUnitLength) {
    constexpr std::uint32_t kSteps = 100;
    for (const std::size_t count : {1u, 257u}) {
        const Vectors places(count, glm::vec4(0.0f));
        const Vectors orientations = unit_quaternions(count);
        const Vectors spins = spins_and_masses(count);
        Graph g = graph();
        const Particles last =
            g.repeat("step", kSteps, bodies(g, places, places, orientations, spins, 0.01f),
                     [&](const Particles& before, std::uint32_t) {
                         return g.add(one_step(before)).particles;
                     });
        g.output("orientations", last.orientations);
        Running running = run(std::move(g));
        const auto got = running.buffer<glm::vec4>("orientations");
        ASSERT_EQ(got.size(), count);
        for (std::size_t i = 0; i < count; ++i) {
            glm::dvec4 q(orientations[i]);
            for (std::uint32_t step = 0; step < kSteps; ++step)
                q = turned(q, glm::dvec3(spins[i]), static_cast<double>(kTick));
            ASSERT_NEAR(glm::length(glm::dvec4(got[i])), 1.0, 1e-6) << i;
            for (int c = 0; c < 4; ++c) // 100 roundings of 2^-23 at most
                ASSERT_NEAR(got[i][c], q[c], 1.2e-5) << i;
        }
    }
}

TEST_F(ParticleBodies, WithoutSpinKeepTheirOrientationToTheBit) {
    const Vectors places(300, glm::vec4(0.0f));
    Vectors orientations = unit_quaternions(300);
    for (glm::vec4& q : orientations)
        q *= 1.0f + 0x1p-20f; // which a normalisation would change
    const Vectors spins(300, glm::vec4(0.0f, -0.0f, 0.0f, 1.0f));
    Graph g = graph();
    const Particles last =
        g.add(one_step(bodies(g, places, places, orientations, spins, 0.01f))).particles;
    g.output("orientations", last.orientations);
    Running running = run(std::move(g));
    EXPECT_EQ(running.buffer<glm::vec4>("orientations"), orientations);
}

TEST_F(ParticleBodies, AreAcceleratedByForceOverMass) {
    const Vectors places = random_vectors(300, glm::vec3(-1.0f), glm::vec3(1.0f), 33);
    const Vectors velocities = random_vectors(300, glm::vec3(-1.0f), glm::vec3(1.0f), 34);
    const Vectors forces = random_vectors(300, glm::vec3(-50.0f), glm::vec3(50.0f), 35);
    const Vectors spins = spins_and_masses(300);
    Graph g = graph();
    IntegrateParticles pass =
        one_step(bodies(g, places, velocities, unit_quaternions(300), spins, 0.01f));
    pass.forces = particles(g, forces, forces, 0.01f).positions;
    output(g, "bodies", g.add(pass, "bodies").particles);
    pass.source.orientations = {};
    pass.source.spins = {};
    output(g, "unit", g.add(pass, "unit").particles); // mass 1
    Running running = run(std::move(g));
    for (const std::string name : {"bodies", "unit"}) {
        const auto got = running.buffer<glm::vec4>(name + ".velocities");
        const auto moved = running.buffer<glm::vec4>(name + ".positions");
        ASSERT_EQ(got.size(), 300u);
        for (std::size_t i = 0; i < got.size(); ++i) {
            const double mass = name == "unit" ? 1.0 : static_cast<double>(spins[i].w);
            const glm::dvec3 v = glm::dvec3(velocities[i]) +
                                 (glm::dvec3(0.0, -9.81, 0.0) + glm::dvec3(forces[i]) / mass) *
                                     static_cast<double>(kTick);
            const glm::dvec3 p = glm::dvec3(places[i]) + v * static_cast<double>(kTick);
            for (int c = 0; c < 3; ++c) {
                ASSERT_NEAR(got[i][c], v[c], 2e-6) << i;
                ASSERT_NEAR(moved[i][c], p[c], 1e-6) << i;
            }
        }
    }
}

TEST_F(ParticleBodies, OfDifferentMassesKeepMomentumWhenTheyCollide) {
    const Vectors places = random_vectors(300, glm::vec3(0.0f), glm::vec3(0.6f), 36);
    const Vectors velocities = random_vectors(300, glm::vec3(-1.0f), glm::vec3(1.0f), 37);
    const Vectors spins = spins_and_masses(300);
    const auto momentum_of = [&](const Vectors& v) {
        glm::dvec3 sum(0.0);
        for (std::size_t i = 0; i < v.size(); ++i)
            sum += static_cast<double>(spins[i].w) * glm::dvec3(v[i]);
        return sum;
    };
    for (const CollisionMethod method : {CollisionMethod::grid, CollisionMethod::all}) {
        Graph g = graph();
        const CollideParticles pass{
            .source = bodies(g, places, velocities, unit_quaternions(300), spins, 0.05f),
            .method = method,
            .box = {.low = glm::vec3(0.0f), .high = glm::vec3(1.0f)}};
        g.output("after", g.add(pass).particles.velocities);
        Running running = run(std::move(g));
        const auto after = running.buffer<glm::vec4>("after");
        ASSERT_EQ(after.size(), 300u);
        EXPECT_LT(glm::length(momentum_of(after) - momentum_of(velocities)), 1e-4);
        double change = 0.0;
        for (std::size_t i = 0; i < after.size(); ++i)
            change += glm::length(glm::dvec3(after[i]) - glm::dvec3(velocities[i]));
        EXPECT_GT(change, 10.0) << "nothing has been tried";
    }
}

/// An elastic pair of unequal masses keeps its energy, too.
TEST_F(ParticleBodies, OfUnequalMassesKeepEnergyInAnElasticPair) {
    const Vectors places{{0.0f, 0.0f, 0.0f, 0.0f}, {0.11f, 0.06f, -0.04f, 0.0f}};
    const Vectors velocities{{1.0f, 0.5f, -0.2f, 0.0f}, {-0.7f, 0.1f, 0.3f, 0.0f}};
    const Vectors spins{{0.0f, 0.0f, 0.0f, 3.0f}, {0.0f, 0.0f, 0.0f, 0.5f}};
    Graph g = graph();
    const CollideParticles pass{
        .source = bodies(g, places, velocities, unit_quaternions(2), spins, 0.08f),
        .contact = {.stiffness = 0.0f, .exchange = 1.0f, .friction = 0.0f},
        .box = kRoomy};
    g.output("after", g.add(pass).particles.velocities);
    Running running = run(std::move(g));
    const auto after = running.buffer<glm::vec4>("after");
    ASSERT_EQ(after.size(), 2u);
    double gained = 0.0;
    for (std::size_t i = 0; i < 2; ++i)
        gained += static_cast<double>(spins[i].w) *
                  (glm::dot(glm::dvec3(after[i]), glm::dvec3(after[i])) -
                   glm::dot(glm::dvec3(velocities[i]), glm::dvec3(velocities[i])));
    EXPECT_NEAR(gained, 0.0, 1e-5);
}

} // namespace
} // namespace tuff
