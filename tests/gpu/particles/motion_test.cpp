#include "passes/particles/collide.hpp"
#include "passes/particles/integrate.hpp"
#include "passes/particles/seed.hpp"
#include "passes/particles/simulate.hpp"
#include "tests/gpu/particles/particle_test.hpp"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

/// How particles move: alone, against surfaces, in pairs, and many of them.
namespace tuff {
namespace {

using passes::CollideParticles;
using passes::CollisionMethod;
using passes::IntegrateParticles;
using passes::Particles;
using passes::SeedParticles;
using passes::SimulateParticles;
using testing_gpu::random_vectors;
using testing_gpu::Running;
using testing_gpu::Vectors;

constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();
constexpr passes::BoxParameters kHuge{.low = glm::vec3(-1e4f), .high = glm::vec3(1e4f)};
constexpr passes::SphereParameters kNoSphere{.center = glm::vec3(0.0f), .radius = 0.0f};

glm::dvec3 momentum(const Vectors& velocities) {
    glm::dvec3 sum(0.0);
    for (const glm::vec4& v : velocities)
        sum += glm::dvec3(v);
    return sum;
}

class ParticleMotion : public testing_gpu::ParticleTest {
  protected:
    /// A small system of everything: 400 particles fall around a ball.
    SimulateParticles falling(Graph& g, std::uint32_t steps,
                              CollisionMethod method = CollisionMethod::grid) {
        const Particles start = g.add(SeedParticles{.count = 400}).particles;
        return {.initial = start, .steps = steps, .method = method};
    }
    /// The same in steps as long as they may be, so that few are enough.
    SimulateParticles settling(Graph& g) {
        SimulateParticles pass = falling(g, 30);
        pass.dt = 1.0f / 120.0f;
        return pass;
    }
    std::vector<std::uint32_t> bits(Running& running) {
        auto all = running.buffer<std::uint32_t>("state.positions");
        const auto velocities = running.buffer<std::uint32_t>("state.velocities");
        all.insert(all.end(), velocities.begin(), velocities.end());
        return all;
    }
};

TEST_F(ParticleMotion, FreeFallIsTheDiscreteFormula) {
    constexpr std::uint32_t kSteps = 30;
    constexpr float kStep = 1.0f / 120.0f;
    const glm::vec3 gravity(0.5f, -9.81f, 0.25f);
    const Vectors positions = random_vectors(300, glm::vec3(-1.0f), glm::vec3(1.0f), 1);
    const Vectors velocities = random_vectors(300, glm::vec3(-2.0f), glm::vec3(2.0f), 2);
    Graph g = graph();
    const Particles fallen = g.repeat("step", kSteps, particles(g, positions, velocities, 0.01f),
                                      [&](Particles before, std::uint32_t) {
                                          return g
                                              .add(IntegrateParticles{.source = before,
                                                                      .dt = kStep,
                                                                      .gravity = gravity,
                                                                      .damping = 0.0f,
                                                                      .box = kHuge,
                                                                      .sphere = kNoSphere})
                                              .particles;
                                      });
    output(g, "fallen", fallen);
    Running running = run(std::move(g));
    const auto moved = running.buffer<glm::vec4>("fallen.positions");
    const auto changed = running.buffer<glm::vec4>("fallen.velocities");
    ASSERT_EQ(moved.size(), positions.size());
    const double dt = kStep;
    for (std::size_t i = 0; i < positions.size(); ++i)
        for (int c = 0; c < 3; ++c) {
            const double g_c = gravity[c];
            const double p = positions[i][c] + static_cast<double>(velocities[i][c]) * kSteps * dt +
                             g_c * dt * dt * kSteps * (kSteps + 1) / 2.0;
            ASSERT_NEAR(moved[i][c], p, 1e-5) << i;
            ASSERT_NEAR(changed[i][c], static_cast<double>(velocities[i][c]) + g_c * kSteps * dt,
                        1e-5)
                << i;
        }
}

TEST_F(ParticleMotion, SurfacesKeepParticlesWithinTheBoxAndOutOfTheBall) {
    const passes::BoxParameters box{.low = {-1.0f, 0.0f, -1.0f}, .high = {1.0f, 2.0f, 1.0f}};
    const passes::SphereParameters sphere{.center = {0.1f, 1.0f, 0.0f}, .radius = 0.4f};
    constexpr float kRadius = 0.05f;
    const Vectors positions = random_vectors(500, glm::vec3(-3.0f), glm::vec3(3.0f), 4);
    const Vectors velocities = random_vectors(500, glm::vec3(-9.0f), glm::vec3(9.0f), 5);
    Graph g = graph();
    const Particles source = particles(g, positions, velocities, kRadius);
    const IntegrateParticles pass{.source = source, .box = box, .sphere = sphere};
    output(g, "once", g.add(pass).particles);
    Running running = run(std::move(g));
    const auto moved = running.buffer<glm::vec4>("once.positions");
    const auto changed = running.buffer<glm::vec4>("once.velocities");
    ASSERT_EQ(moved.size(), positions.size());
    int bounced = 0;
    for (std::size_t i = 0; i < moved.size(); ++i) {
        const glm::vec3 p(moved[i]);
        for (int c = 0; c < 3; ++c) {
            ASSERT_GE(p[c], box.low[c] + kRadius) << i;
            ASSERT_LE(p[c], box.high[c] - kRadius) << i;
        }
        ASSERT_GE(glm::distance(p, sphere.center), sphere.radius + kRadius - 1e-5f) << i;
        // Nothing goes on into the floor.
        ASSERT_TRUE(p.y != box.low.y + kRadius || changed[i].y >= 0.0f) << i;
        bounced += p.y == box.low.y + kRadius ? 1 : 0;
    }
    EXPECT_GT(bounced, 20);
}

/// A step in double precision, of a particle of no size.
struct ReferenceStep {
    IntegrateParticles pass;
    glm::dvec3 p{};
    glm::dvec3 v{};
    int touched = 0;
    bool doubtful = false; ///< rounding decides what it touches

    void run(glm::dvec3 place, glm::dvec3 velocity) {
        const double dt = static_cast<double>(pass.dt);
        v = (velocity + glm::dvec3(pass.gravity) * dt) *
            std::exp(-static_cast<double>(pass.damping) * dt);
        p = place + v * dt;
        const glm::dvec3 from = p - glm::dvec3(pass.sphere.center);
        const double reach = static_cast<double>(pass.sphere.radius);
        if (is_less(glm::length(from), reach)) {
            p = glm::dvec3(pass.sphere.center) + glm::normalize(from) * reach;
            bounce(glm::normalize(from));
        }
        for (int axis = 0; axis < 3; ++axis) {
            glm::dvec3 inwards(0.0);
            inwards[axis] = 1.0;
            if (is_less(p[axis], static_cast<double>(pass.box.low[axis]))) bounce(inwards);
            if (is_less(static_cast<double>(pass.box.high[axis]), p[axis])) bounce(-inwards);
        }
        p = glm::clamp(p, glm::dvec3(pass.box.low), glm::dvec3(pass.box.high));
    }

  private:
    bool is_less(double a, double b) {
        doubtful |= std::abs(a - b) < 1e-5;
        return a < b;
    }
    void bounce(glm::dvec3 normal) {
        const double away = glm::dot(v, normal);
        if (!is_less(away, 0.0)) return;
        ++touched;
        v = (v - away * normal) * (1.0 - static_cast<double>(pass.friction)) -
            static_cast<double>(pass.restitution) * away * normal;
    }
};

TEST_F(ParticleMotion, AStepWithSurfacesIsThatOfDoublePrecision) {
    constexpr float kSmall = 1e-6f;
    const Vectors positions = random_vectors(600, glm::vec3(-1.05f), glm::vec3(1.05f), 14);
    Vectors velocities = random_vectors(600, glm::vec3(-9.0f), glm::vec3(9.0f), 15);
    for (std::size_t i = 0; i < velocities.size(); ++i)
        velocities[i].w = static_cast<float>(i % 7); // neighbours that it touches
    ReferenceStep step{.pass = {.dt = 0.02f,
                                .gravity = {3.0f, -20.0f, 1.0f},
                                .damping = 5.0f,
                                .box = {.low = glm::vec3(-1.0f), .high = glm::vec3(1.0f)},
                                .sphere = {.center = {0.1f, 0.2f, 0.0f}, .radius = 0.7f},
                                .restitution = 0.6f,
                                .friction = 0.3f}};
    Graph g = graph();
    IntegrateParticles pass = step.pass;
    pass.source = particles(g, positions, velocities, kSmall);
    output(g, "once", g.add(pass).particles);
    Running running = run(std::move(g));
    const auto moved = running.buffer<glm::vec4>("once.positions");
    const auto changed = running.buffer<glm::vec4>("once.velocities");
    ASSERT_EQ(moved.size(), positions.size());
    int flown = 0;
    for (std::size_t i = 0; i < moved.size(); ++i) {
        step.doubtful = false;
        const int before = step.touched;
        step.run(glm::dvec3(positions[i]), glm::dvec3(velocities[i]));
        ASSERT_EQ(changed[i].w, velocities[i].w) << i;
        flown += step.touched == before ? 1 : 0;
        if (step.doubtful) continue;
        for (int c = 0; c < 3; ++c) {
            ASSERT_NEAR(moved[i][c], step.p[c], 3e-6) << i; // and the particle's radius
            ASSERT_NEAR(changed[i][c], step.v[c], 5e-5) << i;
        }
    }
    EXPECT_GT(step.touched, 100);
    EXPECT_GT(flown, 100);
}

TEST_F(ParticleMotion, ContactsPushAndRubAsInDoublePrecision) {
    constexpr float kRadius = 0.05f;
    const Vectors positions = random_vectors(300, glm::vec3(0.0f), glm::vec3(0.6f), 16);
    const Vectors velocities = random_vectors(300, glm::vec3(-3.0f), glm::vec3(3.0f), 17);
    const passes::ContactParameters contact{.stiffness = 0.05f, .exchange = 0.2f, .friction = 0.3f};
    std::vector<glm::dvec3> expected(300, glm::dvec3(0.0));
    std::vector<int> contacts(300, 0);
    std::vector<bool> doubtful(300, false);
    int pulls = 0;
    for (std::size_t i = 0; i < 300; ++i)
        for (std::size_t j = 0; j < 300; ++j) {
            const glm::dvec3 between = glm::dvec3(positions[j]) - glm::dvec3(positions[i]);
            const double overlap = 2.0 * static_cast<double>(kRadius) - glm::length(between);
            if (i != j && std::abs(overlap) < 1e-6) doubtful[i] = true;
            if (i == j || overlap <= 0.0) continue;
            const glm::dvec3 n = glm::normalize(between);
            const glm::dvec3 relative = glm::dvec3(velocities[i]) - glm::dvec3(velocities[j]);
            const double closing = glm::dot(relative, n);
            const double push = static_cast<double>(contact.stiffness) * 120.0 * overlap +
                                static_cast<double>(contact.exchange) * closing;
            pulls += push < 0.0 ? 1 : 0; // which particles do not
            expected[i] -= std::max(push, 0.0) * n +
                           static_cast<double>(contact.friction) * (relative - closing * n);
            ++contacts[i];
        }
    EXPECT_GT(pulls, 50);
    for (const CollisionMethod method : {CollisionMethod::grid, CollisionMethod::all}) {
        Graph g = graph();
        const CollideParticles pass{.source = particles(g, positions, velocities, kRadius),
                                    .method = method,
                                    .contact = contact,
                                    .box = {.low = glm::vec3(0.0f), .high = glm::vec3(1.0f)},
                                    .dt = 1.0f / 120.0f};
        output(g, "after", g.add(pass).particles);
        Running running = run(std::move(g));
        const auto after = running.buffer<glm::vec4>("after.velocities");
        ASSERT_EQ(after.size(), 300u);
        for (std::size_t i = 0; i < after.size(); ++i) {
            if (doubtful[i]) continue;
            ASSERT_EQ(after[i].w, static_cast<float>(contacts[i])) << i;
            const glm::dvec3 wanted = glm::dvec3(velocities[i]) + expected[i];
            for (int c = 0; c < 3; ++c) // a few roundings of numbers below 8 for each contact
                ASSERT_NEAR(after[i][c], wanted[c], 2e-6 * (1 + contacts[i])) << i;
        }
    }
}

TEST_F(ParticleMotion, AnElasticPairKeepsMomentumAndEnergy) {
    const Vectors positions{{0.0f, 0.0f, 0.0f, 0.0f}, {0.11f, 0.06f, -0.04f, 0.0f}};
    const Vectors velocities{{1.0f, 0.5f, -0.2f, 0.0f}, {-0.7f, 0.1f, 0.3f, 0.0f}};
    for (const CollisionMethod method : {CollisionMethod::grid, CollisionMethod::all}) {
        Graph g = graph();
        const CollideParticles pass{.source = particles(g, positions, velocities, 0.08f),
                                    .method = method,
                                    .contact = {.stiffness = 0.0f, .exchange = 1.0f, .friction = 0},
                                    .box = kHuge};
        output(g, "after", g.add(pass).particles);
        Running running = run(std::move(g));
        const auto after = running.buffer<glm::vec4>("after.velocities");
        ASSERT_EQ(after.size(), 2u);
        const glm::dvec3 drift = momentum(after) - momentum(velocities);
        EXPECT_LT(glm::length(drift), 1e-6);
        double before_energy = 0.0;
        double after_energy = 0.0;
        for (std::size_t i = 0; i < 2; ++i) {
            before_energy += glm::dot(glm::dvec3(velocities[i]), glm::dvec3(velocities[i]));
            after_energy += glm::dot(glm::dvec3(after[i]), glm::dvec3(after[i]));
        }
        EXPECT_NEAR(after_energy, before_energy, 1e-5);
        // The velocities along the line between the middles are exchanged.
        const glm::dvec3 n = glm::normalize(glm::dvec3(positions[1]) - glm::dvec3(positions[0]));
        EXPECT_NEAR(glm::dot(glm::dvec3(after[0]), n), glm::dot(glm::dvec3(velocities[1]), n),
                    1e-5);
        EXPECT_NEAR(glm::dot(glm::dvec3(after[1]), n), glm::dot(glm::dvec3(velocities[0]), n),
                    1e-5);
    }
}

TEST_F(ParticleMotion, CollisionsKeepMomentumAndThoseAtOnePointPart) {
    Vectors positions = random_vectors(300, glm::vec3(0.0f), glm::vec3(0.6f), 6);
    const Vectors velocities = random_vectors(300, glm::vec3(-1.0f), glm::vec3(1.0f), 7);
    positions[1] = positions[0];
    Graph g = graph();
    const CollideParticles pass{.source = particles(g, positions, velocities, 0.05f),
                                .box = {.low = glm::vec3(0.0f), .high = glm::vec3(1.0f)}};
    output(g, "after", g.add(pass).particles);
    const Vectors two(2, glm::vec4(0.3f));
    const CollideParticles at_once{.source = particles(g, two, Vectors(2, glm::vec4(0.0f)), 0.05f),
                                   .box = pass.box};
    output(g, "parted", g.add(at_once, "at_once").particles);
    Running running = run(std::move(g));
    const auto after = running.buffer<glm::vec4>("after.velocities");
    ASSERT_EQ(after.size(), positions.size());
    EXPECT_LT(glm::length(momentum(after) - momentum(velocities)), 1e-4);
    const auto parted = running.buffer<glm::vec4>("parted.velocities");
    ASSERT_EQ(parted.size(), 2u);
    EXPECT_GT(glm::length(glm::vec3(parted[0])), 0.1f);
    EXPECT_EQ(glm::vec3(parted[0]), -glm::vec3(parted[1]));
}

TEST_F(ParticleMotion, EnergyIsBoundedAndThePileComesToRest) {
    Graph g = graph();
    output(g, "state", g.add(settling(g)).particles);
    g.output("start", copied(g, g.add(SeedParticles{.count = 400}, "again").particles.positions));
    Running running = run(std::move(g));
    const auto energy = [&](const Vectors& positions, const Vectors& velocities) {
        double sum = 0.0;
        for (std::size_t i = 0; i < positions.size(); ++i)
            sum += 9.81 * static_cast<double>(positions[i].y) +
                   0.5 * glm::dot(glm::dvec3(velocities[i]), glm::dvec3(velocities[i]));
        return sum;
    };
    const auto start = running.buffer<glm::vec4>("start");
    ASSERT_EQ(start.size(), 400u);
    // What springs hold is not counted, so that a pile may bounce, but never above the start.
    const double at_start = energy(start, Vectors(400, glm::vec4(0.0f)));
    for (int execution = 0; execution < 4; ++execution) {
        if (execution > 0) running.execute();
        const double now = energy(running.buffer<glm::vec4>("state.positions"),
                                  running.buffer<glm::vec4>("state.velocities"));
        ASSERT_TRUE(std::isfinite(now));
        EXPECT_LT(now, at_start) << execution;
    }
    double kinetic = 0.0;
    for (const glm::vec4& v : running.buffer<glm::vec4>("state.velocities"))
        kinetic += 0.5 * glm::dot(glm::dvec3(v), glm::dvec3(v));
    EXPECT_LT(kinetic / 400.0, 0.5); // a fall by 0.4 would be 3.9
}

TEST_F(ParticleMotion, GoesOnFromExecutionToExecutionUntilReset) {
    const auto system = [&](std::uint32_t steps, bool reset) {
        Graph g = graph();
        SimulateParticles pass = falling(g, steps);
        pass.reset = reset;
        output(g, "state", g.add(pass).particles);
        return g;
    };
    Running in_parts = run(system(2, false), 3);
    Running at_once = run(system(6, false));
    EXPECT_EQ(bits(in_parts), bits(at_once));
    Running anew = run(system(6, true), 2);
    EXPECT_EQ(bits(anew), bits(at_once));
}

TEST_F(ParticleMotion, IsTheSameToTheBitInEverySafeMode) {
    const auto result = [&](CompileOptions options) {
        Graph g = graph();
        output(g, "state", g.add(falling(g, 3)).particles);
        Running running = start(compile_graph(std::move(g), options));
        running.execute(2);
        return bits(running);
    };
    const auto expected = result({});
    ASSERT_GT(expected.size(), 400u);
    EXPECT_EQ(result({}), expected) << "another run";
    EXPECT_EQ(result({.alias = AliasMode::off}), expected);
    EXPECT_EQ(result({.order = OrderMode::declared, .barriers = BarrierMode::full}), expected);
    EXPECT_EQ(result({.poison = true}), expected);
}

TEST_F(ParticleMotion, StepsOfAnyLengthKeepEverythingFinite) {
    for (const float dt : {0.0f, 1.0f, 1e6f}) {
        Graph g = graph();
        SimulateParticles pass = falling(g, 3);
        pass.dt = dt;
        output(g, "state", g.add(pass).particles);
        Running running = run(std::move(g), 2);
        for (const glm::vec4& p : running.buffer<glm::vec4>("state.positions"))
            for (int c = 0; c < 3; ++c) {
                ASSERT_GE(p[c], pass.box.low[c]) << dt;
                ASSERT_LE(p[c], pass.box.high[c]) << dt;
            }
        for (const glm::vec4& v : running.buffer<glm::vec4>("state.velocities"))
            ASSERT_TRUE(std::isfinite(v.x + v.y + v.z)) << dt;
    }
}

TEST_F(ParticleMotion, AStepIsAtMostADiameterLong) {
    constexpr float kSize = 0.02f;
    const Vectors positions = random_vectors(300, glm::vec3(-1.0f), glm::vec3(1.0f), 12);
    const Vectors velocities = random_vectors(300, glm::vec3(-1e20f), glm::vec3(1e20f), 13);
    for (const float dt : {1e-3f, 1.0f, 1e6f}) {
        Graph g = graph();
        SimulateParticles pass{.initial = particles(g, positions, velocities, kSize),
                               .steps = 1,
                               .dt = dt,
                               .method = CollisionMethod::none,
                               .box = kHuge,
                               .sphere = kNoSphere,
                               .damping = 0.0f};
        output(g, "state", g.add(pass).particles);
        Running running = run(std::move(g));
        const auto moved = running.buffer<glm::vec4>("state.positions");
        ASSERT_EQ(moved.size(), positions.size());
        for (std::size_t i = 0; i < moved.size(); ++i) {
            const double way = glm::distance(glm::dvec3(moved[i]), glm::dvec3(positions[i]));
            ASSERT_NEAR(way, 2.0 * static_cast<double>(kSize), 1e-6) << i;
        }
    }
}

TEST_F(ParticleMotion, WhatIsNotFiniteTakesNoPart) {
    Vectors positions = random_vectors(64, glm::vec3(-0.2f), glm::vec3(0.2f), 9);
    const Vectors velocities(64, glm::vec4(0.0f));
    Vectors others(positions.begin() + 1, positions.end());
    positions[0] = glm::vec4(0.0f, kNotANumber, 0.0f, 0.0f);
    const auto simulated = [&](const Vectors& start_positions) {
        Graph g = graph();
        const Particles start =
            particles(g, start_positions, Vectors(start_positions.size(), glm::vec4(0.0f)), 0.05f);
        output(g, "state", g.add(SimulateParticles{.initial = start}).particles);
        return run(std::move(g)).buffer<glm::vec4>("state.positions");
    };
    const auto with = simulated(positions);
    const auto without = simulated(others);
    ASSERT_EQ(with.size(), 64u);
    ASSERT_EQ(without.size(), 63u);
    EXPECT_TRUE(std::isnan(with[0].y));
    for (std::size_t i = 1; i < with.size(); ++i)
        for (int c = 0; c < 3; ++c)
            ASSERT_NEAR(with[i][c], without[i - 1][c], 1e-5f) << i;
}

TEST_F(ParticleMotion, OneAndNoneAreNoTrouble) {
    for (const std::uint32_t count : {0u, 1u})
        for (const CollisionMethod method : {CollisionMethod::grid, CollisionMethod::all}) {
            Graph g = graph();
            const Particles start = g.add(SeedParticles{.count = count}).particles;
            SimulateParticles pass{.initial = start, .steps = 2, .method = method};
            output(g, "state", g.add(pass).particles);
            Running running = run(std::move(g), 2);
            const auto positions = running.buffer<glm::vec4>("state.positions");
            ASSERT_EQ(positions.size(), 1u);
            EXPECT_TRUE(count == 0 || positions[0].y < 0.7f);
        }
}

TEST_F(ParticleMotion, MistakesAreOneDiagnosticEach) {
    const auto expect_one = [&](auto add, std::string_view code) {
        Graph g = graph();
        const Particles result = add(g, g.add(SeedParticles{.count = 10}).particles);
        output(g, "result", result);
        const auto plan = compile(std::move(g).finish(), device().caps());
        ASSERT_FALSE(plan);
        ASSERT_EQ(plan.error().size(), 1u) << to_string(plan.error());
        EXPECT_EQ(plan.error()[0].code, code);
    };
    expect_one(
        [](Graph& g, Particles p) {
            return g.add(IntegrateParticles{.source = p, .dt = -1.0f}).particles;
        },
        "pass/out-of-range");
    expect_one(
        [](Graph& g, Particles p) {
            return g.add(IntegrateParticles{.source = p, .dt = kNotANumber}).particles;
        },
        "pass/out-of-range");
    expect_one(
        [](Graph& g, Particles p) {
            p.count = 11;
            return g.add(CollideParticles{.source = p}).particles;
        },
        "primitives/too-short");
    expect_one(
        [](Graph& g, Particles p) {
            p.radius = 0.0f;
            return g.add(CollideParticles{.source = p}).particles;
        },
        "pass/out-of-range");
    expect_one(
        [](Graph& g, Particles p) {
            return g
                .add(IntegrateParticles{.source = p,
                                        .box = {.low = glm::vec3(0.0f), .high = glm::vec3(1e-3f)}})
                .particles;
        },
        "pass/out-of-range");
    expect_one(
        [](Graph& g, Particles p) {
            const Particles others = g.add(SeedParticles{.count = 50}, "others").particles;
            const auto grid = g.add(passes::SortIntoGrid{.source = others}).grid;
            return g.add(CollideParticles{.source = p, .grid = grid}).particles;
        },
        "particles/grid-mismatch");
    expect_one(
        [](Graph& g, Particles) {
            const Particles none =
                g.add(SeedParticles{.count = passes::kMaxParticles + 1}).particles;
            return none;
        },
        "pass/out-of-range");
}

} // namespace
} // namespace tuff
