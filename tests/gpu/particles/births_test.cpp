#include "passes/particles/collide.hpp"
#include "passes/particles/draw.hpp"
#include "passes/particles/emit.hpp"
#include "passes/particles/seed.hpp"
#include "passes/particles/simulate.hpp"
#include "tests/gpu/particles/birth_reference.hpp"
#include "tests/gpu/particles/particle_test.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

/// Particles that are born and die, and a number of them that only the device knows.
namespace tuff {
namespace {

using passes::CollideParticles;
using passes::CollisionMethod;
using passes::DrawParticles;
using passes::EmitParticles;
using passes::EmitterParameters;
using passes::Particles;
using passes::ParticleTally;
using passes::SeedParticles;
using passes::SimulateParticles;
using testing_gpu::BirthReference;
using testing_gpu::bytes_of;
using testing_gpu::random_vectors;
using testing_gpu::ReferenceParticle;
using testing_gpu::Running;
using testing_gpu::Vectors;

constexpr passes::BoxParameters kWide{.low = glm::vec3(-1e3f), .high = glm::vec3(1e3f)};
constexpr passes::SphereParameters kNoObstacle{.center = glm::vec3(0.0f), .radius = 0.0f};
/// Cosines of kernels are right to 2^-11, and speeds and ways are at most 2.
constexpr double kCosineError = 0x1p-10;
constexpr float kFrame = 1.0f / 64.0f;

/// So many births that some particles die while others are born.
constexpr EmitterParameters kJet{.capacity = 700,
                                 .rate = 777.7f,
                                 .place = {0.1f, 0.2f, 0.3f},
                                 .direction = {0.3f, 1.0f, -0.2f},
                                 .radius = 0.05f,
                                 .speed = 1.5f,
                                 .speed_spread = 0.3f,
                                 .angle = 25.0f,
                                 .life = 0.4f,
                                 .life_spread = 0.6f,
                                 .seed = 5};

class ParticleBirths : public testing_gpu::ParticleTest {
  protected:
    Particles nobody(Graph& g, float radius = 0.01f) {
        return g.add(SeedParticles{.count = 0, .radius = radius}, "nobody").particles;
    }
    /// Particles that fly straight on.
    SimulateParticles flying(Graph& g, const EmitterParameters& emitter, std::uint32_t steps = 1) {
        return {.initial = nobody(g, 0.05f),
                .steps = steps,
                .dt = kFrame,
                .method = CollisionMethod::none,
                .emitter = emitter,
                .box = kWide,
                .sphere = kNoObstacle,
                .gravity = glm::vec3(0.0f),
                .damping = 0.0f};
    }
    /// A jet whose particles collide, fall on the floor and die.
    SimulateParticles fountain(Graph& g) {
        SimulateParticles pass{.initial = nobody(g, 0.03f), .steps = 1, .dt = 1.0f / 120.0f};
        pass.emitter = {.capacity = 120, .rate = 300.0f, .life = 0.5f, .life_spread = 0.5f};
        return pass;
    }
    static void output_all(Graph& g, const Particles& state) {
        output(g, "state", state);
        g.output("tally", copied(g, state.tally));
        g.output("lives", copied(g, state.lives));
    }
    static Diagnostics warnings(Running& running) {
        const auto told = running->warnings();
        EXPECT_TRUE(told);
        return told.value_or(Diagnostics{});
    }
    ParticleTally tally(Running& running) {
        return ParticleTally::read(running.buffer<std::uint32_t>("tally"));
    }
    /// What is alive, to the bit.
    std::vector<std::uint32_t> bits(Running& running) {
        std::vector<std::uint32_t> all = running.buffer<std::uint32_t>("tally");
        const std::uint32_t alive = all.empty() ? 0 : all[0];
        const auto append = [&](std::string_view name, std::size_t words) {
            const auto more = running.buffer<std::uint32_t>(name);
            ASSERT_GE(more.size(), words * alive);
            all.insert(all.end(), more.begin(),
                       more.begin() + static_cast<std::ptrdiff_t>(words * alive));
        };
        append("state.positions", 4);
        append("state.velocities", 4);
        append("lives", 2);
        return all;
    }
    void expect_state(Running& running, const BirthReference& reference) {
        const ParticleTally got = tally(running);
        ASSERT_EQ(got.alive, reference.particles().size());
        ASSERT_EQ(got.born, reference.born());
        ASSERT_EQ(got.died, reference.died());
        ASSERT_EQ(got.not_born, reference.not_born());
        const auto positions = running.buffer<glm::vec4>("state.positions");
        const auto velocities = running.buffer<glm::vec4>("state.velocities");
        const auto lives = running.buffer<glm::vec2>("lives");
        for (std::size_t i = 0; i < got.alive; ++i) {
            const ReferenceParticle& wanted = reference.particles()[i];
            ASSERT_NEAR(lives[i].x, wanted.age, 1e-5) << i;
            ASSERT_NEAR(lives[i].y, wanted.span, 1e-5) << i;
            for (int c = 0; c < 3; ++c) {
                ASSERT_NEAR(positions[i][c], wanted.position[c], kCosineError) << i;
                ASSERT_NEAR(velocities[i][c], wanted.velocity[c], kCosineError) << i;
            }
        }
    }
};

TEST_F(ParticleBirths, AreThoseOfTheReferenceInEveryFrame) {
    for (const std::uint32_t steps : {1u, 3u}) {
        SCOPED_TRACE(steps);
        Graph g = graph();
        output_all(g, g.add(flying(g, kJet, steps)).particles);
        Running running = start(std::move(g));
        BirthReference reference(kJet, kFrame);
        for (int frame = 0; frame < 60; ++frame) {
            SCOPED_TRACE(frame);
            running.execute();
            for (std::uint32_t step = 0; step < steps; ++step)
                reference.step();
            ASSERT_GT(reference.least_margin(), 2e-6) << "the reference cannot tell who is dead";
            expect_state(running, reference);
            if (HasFatalFailure()) return;
        }
        EXPECT_GT(reference.died(), 200u);
        EXPECT_EQ(reference.not_born(), 0u);
        EXPECT_TRUE(warnings(running).empty());
    }
}

TEST_F(ParticleBirths, EndAtTheCapacityAndAreCounted) {
    EmitterParameters narrow = kJet;
    narrow.capacity = 100;
    Graph g = graph();
    output_all(g, g.add(flying(g, narrow)).particles);
    Running running = start(std::move(g));
    BirthReference reference(narrow, kFrame);
    for (int frame = 0; frame < 50; ++frame) {
        SCOPED_TRACE(frame);
        running.execute();
        reference.step();
        expect_state(running, reference);
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(reference.not_born(), 100u);
    EXPECT_GT(reference.died(), 100u);
    const Diagnostics told = warnings(running);
    ASSERT_EQ(told.size(), 1u) << to_string(told);
    EXPECT_EQ(told[0].code, "particles/not-born");
}

TEST_F(ParticleBirths, AreTheSameToTheBitAfterAHundredFrames) {
    const auto result = [&] {
        Graph g = graph();
        output_all(g, g.add(fountain(g)).particles);
        Running running = run(std::move(g), 100);
        return bits(running);
    };
    const auto expected = result();
    ASSERT_GT(ParticleTally::read(expected).died, 50u);
    EXPECT_EQ(result(), expected);
}

TEST_F(ParticleBirths, AreTheSameToTheBitAfterAHundredFramesInEverySafeMode) {
    TUFF_ONLY_ON(lavapipe); // of the compiler, not of the device
    const auto result = [&](CompileOptions options) {
        Graph g = graph();
        output_all(g, g.add(fountain(g)).particles);
        Running running = start(compile_graph(std::move(g), options));
        running.execute(100);
        return bits(running);
    };
    const auto expected = result({});
    ASSERT_GT(expected.size(), 10u * 50u);
    ASSERT_GT(ParticleTally::read(expected).died, 50u);
    EXPECT_EQ(result({.alias = AliasMode::off}), expected);
    EXPECT_EQ(result({.order = OrderMode::declared, .barriers = BarrierMode::full}), expected);
    EXPECT_EQ(result({.poison = true}), expected);
}

TEST_F(ParticleBirths, BeginAgainWhenReset) {
    const auto system = [&](bool reset) {
        Graph g = graph();
        SimulateParticles pass = fountain(g);
        pass.steps = 5;
        pass.reset = reset;
        output_all(g, g.add(pass).particles);
        return g;
    };
    Running once = run(system(false));
    Running again = run(system(true), 3);
    EXPECT_EQ(bits(again), bits(once));
    EXPECT_GT(tally(once).alive, 5u);
}

TEST_F(ParticleBirths, ReplaceThoseThatAreOldOrNotFinite) {
    constexpr float kNotFinite = std::numeric_limits<float>::quiet_NaN();
    Vectors positions = random_vectors(600, glm::vec3(-1.0f), glm::vec3(1.0f), 1);
    const Vectors velocities = random_vectors(600, glm::vec3(-1.0f), glm::vec3(1.0f), 2);
    std::vector<glm::vec2> lives(600, glm::vec2(0.0f, 1.0f));
    std::vector<std::size_t> survivors;
    for (std::size_t i = 0; i < 600; ++i) {
        if (i % 7 == 3) lives[i].x = 1.0f; // the end of its span
        if (i % 11 == 5) positions[i].z = kNotFinite;
        if (i % 13 == 6) lives[i].y = kNotFinite;
        if (i % 7 != 3 && i % 11 != 5 && i % 13 != 6) survivors.push_back(i);
    }
    Graph g = graph();
    Particles source = particles(g, positions, velocities, 0.01f);
    const auto bytes = bytes_of(lives);
    source.lives = g.constant_buffer("lives", {.size = bytes->size(), .stride = 8}, bytes);
    EmitterParameters emitter = kJet;
    emitter.capacity = 0;
    emitter.rate = 50.0f;
    output_all(g, g.add(EmitParticles{.source = source, .emitter = emitter, .dt = 1.0f}).particles);
    Running running = run(std::move(g));
    const ParticleTally got = tally(running);
    EXPECT_EQ(got.died, 600 - survivors.size());
    EXPECT_EQ(got.born, 50u);
    ASSERT_EQ(got.alive, survivors.size() + 50);
    const auto places = running.buffer<glm::vec4>("state.positions");
    for (std::size_t k = 0; k < survivors.size(); ++k)
        ASSERT_EQ(places[k], positions[survivors[k]]) << k;
    for (std::size_t k = survivors.size(); k < got.alive; ++k)
        ASSERT_TRUE(std::isfinite(places[k].x + places[k].y + places[k].z)) << k;
}

TEST_F(ParticleBirths, OfBodiesAreUprightAndSpinWithinTheirBounds) {
    const Vectors places = random_vectors(500, glm::vec3(-1.0f), glm::vec3(1.0f), 41);
    Vectors turns = random_vectors(500, glm::vec3(-1.0f), glm::vec3(1.0f), 42);
    for (glm::vec4& turn : turns)
        turn.w = 2.0f; // the mass, among spins
    std::vector<glm::vec2> lives;
    for (std::size_t i = 0; i < 500; ++i)
        lives.emplace_back(i % 3 == 0 ? 5.0f : 0.0f, 5.0f);
    Graph g = graph();
    Particles source = particles(g, places, places, 0.01f);
    const Particles more = particles(g, turns, turns, 0.01f);
    source.orientations = more.positions;
    source.spins = more.velocities;
    const auto bytes = bytes_of(lives);
    source.lives = g.constant_buffer("lives", {.size = bytes->size(), .stride = 8}, bytes);
    EmitParticles pass{.source = source, .dt = 1.0f};
    pass.emitter = {.capacity = 1000, .rate = 300.0f, .mass = 0.5f, .spin = 3.0f};
    const Particles after = g.add(pass).particles;
    g.output("tally", copied(g, after.tally));
    g.output("orientations", after.orientations);
    g.output("spins", after.spins);
    Running running = run(std::move(g));
    const auto orientations = running.buffer<glm::vec4>("orientations");
    const auto spins = running.buffer<glm::vec4>("spins");
    ASSERT_EQ(tally(running).alive, 333u + 300u);
    std::size_t at = 0;
    for (std::size_t i = 0; i < 500; ++i) {
        if (i % 3 == 0) continue;
        ASSERT_EQ(orientations[at], turns[i]) << i;
        ASSERT_EQ(spins[at], turns[i]) << i;
        ++at;
    }
    glm::dvec3 mean(0.0);
    for (; at < 633; ++at) {
        ASSERT_EQ(orientations[at], glm::vec4(0.0f, 0.0f, 0.0f, 1.0f)) << at;
        ASSERT_EQ(spins[at].w, 0.5f) << at;
        for (int c = 0; c < 3; ++c)
            ASSERT_LE(std::abs(spins[at][c]), 3.0f) << at;
        mean += glm::dvec3(spins[at]) / 300.0;
    }
    for (int c = 0; c < 3; ++c) // three deviations of 3 / sqrt(3 * 300)
        EXPECT_LT(std::abs(mean[c]), 0.3);
    EXPECT_NE(glm::vec3(spins[400]), glm::vec3(spins[401]));
}

/// Bodies keep turning from execution to execution.
TEST_F(ParticleBirths, OfBodiesGoOnFromExecutionToExecution) {
    const auto system = [&](std::uint32_t steps) {
        const Vectors places = random_vectors(40, {-0.4f, 0.2f, -0.2f}, {0.4f, 0.6f, 0.2f}, 43);
        Vectors spins = random_vectors(40, glm::vec3(-9.0f), glm::vec3(9.0f), 44);
        for (glm::vec4& spin : spins)
            spin.w = 2.0f;
        Graph g = graph();
        Particles source = particles(g, places, Vectors(40, glm::vec4(0.0f)), 0.03f);
        const Particles more =
            particles(g, Vectors(40, glm::vec4(0.0f, 0.0f, 0.0f, 1.0f)), spins, 0.03f);
        source.orientations = more.positions;
        source.spins = more.velocities;
        SimulateParticles pass{.initial = source, .steps = steps};
        pass.emitter = {.capacity = 60, .rate = 900.0f, .spin = 2.0f};
        const Particles after = g.add(pass).particles;
        output_all(g, after);
        g.output("orientations", copied(g, after.orientations));
        return g;
    };
    Running in_parts = run(system(3), 2);
    Running at_once = run(system(6));
    EXPECT_EQ(bits(in_parts), bits(at_once));
    auto some = in_parts.buffer<std::uint32_t>("orientations");
    auto all = at_once.buffer<std::uint32_t>("orientations");
    const std::size_t words = 4 * std::size_t{tally(at_once).alive};
    ASSERT_GT(words, 4u * 40u);
    ASSERT_GE(all.size(), words);
    some.resize(words);
    all.resize(words);
    EXPECT_EQ(some, all);
}

/// The first of more particles, by a count on the device; beyond it all lie at one place.
class CountedParticles : public ParticleBirths {
  protected:
    Particles counted(Graph& g, const Particles& all, std::uint32_t alive) {
        Particles some = all;
        const auto bytes = bytes_of(std::vector<std::uint32_t>{alive, 0, 0, 0, 0, 0, 0});
        some.tally = g.constant_buffer("tally", {.size = bytes->size(), .stride = 4}, bytes);
        return some;
    }
};

TEST_F(CountedParticles, CollideAndMoveAsIfThereWereNoOthers) {
    for (const std::uint32_t alive : {0u, 1u, 256u, 601u, 900u})
        for (const CollisionMethod method : {CollisionMethod::grid, CollisionMethod::all}) {
            SCOPED_TRACE(alive);
            Vectors positions = random_vectors(900, glm::vec3(-0.4f), glm::vec3(0.4f), 3);
            const Vectors velocities = random_vectors(900, glm::vec3(-1.0f), glm::vec3(1.0f), 4);
            Graph g = graph();
            const Particles all = particles(g, positions, velocities, 0.04f);
            const Particles first = {.positions = all.positions,
                                     .velocities = all.velocities,
                                     .count = alive,
                                     .radius = all.radius};
            SimulateParticles pass{.steps = 2, .method = method};
            pass.initial = counted(g, all, alive);
            output(g, "counted", g.add(pass, "counted").particles);
            pass.initial = first;
            output(g, "first", g.add(pass, "first").particles);
            Running running = run(std::move(g), 2);
            for (const std::string array : {".positions", ".velocities"}) {
                auto some = running.buffer<std::uint32_t>("counted" + array);
                auto alone = running.buffer<std::uint32_t>("first" + array);
                ASSERT_GE(some.size(), 4 * alive);
                some.resize(4 * alive);
                alone.resize(4 * alive);
                ASSERT_EQ(some, alone);
            }
        }
}

TEST_F(CountedParticles, AreDrawnAndNoOthers) {
    for (const std::uint32_t alive : {0u, 40u}) {
        const Vectors positions = random_vectors(300, {-0.5f, 0.1f, -0.3f}, {0.5f, 0.9f, 0.3f}, 5);
        const Vectors velocities = random_vectors(300, glm::vec3(-3.0f), glm::vec3(3.0f), 6);
        Graph g = graph();
        const Particles all = particles(g, positions, velocities, 0.04f);
        Particles first = all;
        first.count = alive;
        DrawParticles pass{.source = counted(g, all, alive), .width = 96, .height = 64};
        g.output("counted", g.add(pass, "counted").result);
        pass.source = first;
        g.output("first", g.add(pass, "first").result);
        pass.source.count = 0;
        g.output("none", g.add(pass, "none").result);
        Running running = run(std::move(g));
        const HostImage counted_picture = running.image("counted");
        ASSERT_FALSE(counted_picture.empty());
        EXPECT_EQ(counted_picture.texels, running.image("first").texels);
        EXPECT_EQ(counted_picture.texels == running.image("none").texels, alive == 0);
    }
}

/// The light that is shown of one particle in the middle, red less blue.
TEST_F(CountedParticles, AreColouredByTheirAge) {
    const auto warmth = [&](float age) {
        Graph g = graph();
        Particles one = particles(g, {{0.0f, 0.5f, 0.0f, 0.0f}}, {glm::vec4(0.0f)}, 0.3f);
        const auto bytes = bytes_of(std::vector<glm::vec2>{{age, 9.0f}});
        one.lives = g.constant_buffer("lives", {.size = bytes->size(), .stride = 8}, bytes);
        DrawParticles pass{.source = counted(g, one, 1), .width = 32, .height = 32};
        pass.color = passes::ParticleColor::age;
        pass.sphere.radius = 0.0f;
        pass.camera.mode = passes::CameraMode::free;
        pass.camera.position = {0.0f, 0.5f, 2.0f};
        pass.camera.target = {0.0f, 0.5f, 0.0f};
        g.output("picture", g.add(pass).result);
        Running running = run(std::move(g));
        const HostImage picture = running.image("picture");
        if (picture.empty()) return 0.0f;
        const auto texel = picture.texel(16, 16);
        return texel[0] - texel[2];
    };
    EXPECT_LT(warmth(0.0f), -0.1f); // blue
    EXPECT_GT(warmth(10.0f), 0.3f); // red
}

} // namespace
} // namespace tuff
