#include "tests/gpu/bodies/bodies_test.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

/// Steps of fixed length in frames of any length.
namespace tuff {
namespace {

using passes::BodyList;
using passes::StepClock;
using testing_gpu::BodyState;
using testing_gpu::Running;

constexpr float kClockStep = 1.0f / 60.0f;

class BodiesClock : public testing_gpu::BodiesTest {
  protected:
    /// Balls that fall on each other, roll and hang.
    static BodyList bodies() {
        BodyList list;
        list.plane({});
        for (int i = 0; i < 3; ++i)
            list.sphere(0.25f, {.place = {0.1f * static_cast<float>(i),
                                          0.26f + 0.51f * static_cast<float>(i), 0.0f},
                                .spin = {0.0f, 0.0f, 1.0f}});
        list.sphere(0.3f, {.place = {-0.8f, 0.3f, 0.1f}, .velocity = {2.0f, 0.0f, 0.0f}});
        const std::uint32_t nail = list.sphere(0.05f, {.place = {3, 2, 0}, .mass = 0.0f});
        const std::uint32_t bob = list.sphere(0.2f, {.place = {3.8f, 2.0f, 0.0f}});
        list.joint(passes::JointKind::ball, nail, bob, {3.0f, 2.0f, 0.0f});
        return list;
    }
    static Simulate timed(std::uint32_t most) {
        Simulate pass = few(most);
        pass.clock = StepClock::time;
        pass.dt = kClockStep;
        pass.solver.iterations = 3;
        return pass;
    }
    Graph frame(const BodyList& list, Simulate pass) {
        Graph g = graph();
        pass.initial = list.upload(g);
        const Simulate done = g.add(pass);
        output(g, done);
        g.output("shown", done.shown.places);
        g.output("shown_turns", done.shown.turns);
        return g;
    }
    /// Executes frames of this length.
    void take(Running& running, const BodyList& list, Simulate pass, float length,
              unsigned frames = 1) {
        pass.frame_time = length;
        const GraphDesc desc = frame(list, pass).finish();
        ASSERT_TRUE(running->set_parameters(desc.parameters));
        running.execute(frames);
    }
    static bool same_bits(const BodyState& a, const BodyState& b) {
        const auto same = [](const auto& x, const auto& y) {
            return x.size() == y.size() &&
                   std::memcmp(x.data(), y.data(), x.size() * sizeof(x[0])) == 0;
        };
        return !a.places.empty() && same(a.places, b.places) && same(a.turns, b.turns) &&
               same(a.motions, b.motions);
    }
};

// Frames of one length, in a third of a second, and of many, twice in a sixth of one.
TEST_F(BodiesClock, StatesDoNotDependOnTheLengthOfFrames) {
    const BodyList list = bodies();
    Simulate plain = timed(2);
    plain.clock = StepClock::steps;
    Running reference = begin(list, plain);
    ASSERT_TRUE(reference);
    reference.execute(5);
    const BodyState half = state_of(reference);
    reference.execute(5);
    const BodyState whole = state_of(reference);
    EXPECT_FALSE(same_bits(half, whole));
    EXPECT_GT(whole.status.contacts, 1u);
    const Simulate pass = timed(2);
    for (const unsigned rate : {30u, 60u, 90u}) {
        Running running = start(frame(list, pass));
        ASSERT_TRUE(running);
        running.execute();
        for (const BodyState* expected : {&half, &whole}) {
            take(running, list, pass, 1.0f / static_cast<float>(rate), rate / 6);
            EXPECT_TRUE(same_bits(state_of(running), *expected)) << rate;
        }
    }
    const std::vector<float> lengths{0.011f, 0.03f,   0.002f,  0.033f,  0.0f,
                                     0.031f, 0.0071f, 0.0162f, 0.0209f, 1.0f / 6.0f - 0.1512f};
    Running running = start(frame(list, pass));
    ASSERT_TRUE(running);
    running.execute();
    for (const BodyState* expected : {&half, &whole}) {
        for (const float length : lengths)
            take(running, list, pass, length);
        EXPECT_TRUE(same_bits(state_of(running), *expected));
    }
}

// Solvers, trees of pairs and sleep carry their state through frames with steps that are
// skipped.
TEST_F(BodiesClock, OtherMethodsGiveTheStatesOfPlainSteps) {
    TUFF_ONLY_ON(lavapipe);
    const BodyList list = bodies();
    using passes::SolverMethod;
    for (const SolverMethod method :
         {SolverMethod::two_level, SolverMethod::global, SolverMethod::jacobi, SolverMethod::soft,
          SolverMethod::avbd}) {
        Simulate pass = timed(3);
        pass.solver.method = method;
        const bool others = method == SolverMethod::two_level;
        pass.pairs = others ? passes::PairMethod::tree : passes::PairMethod::grid;
        pass.sleep.speed = others ? 3.0f : 0.0f;
        pass.sleep.after = 0.05f;
        Simulate plain = pass;
        plain.clock = StepClock::steps;
        plain.steps = 1;
        const BodyState expected = simulated(list, plain, 6);
        EXPECT_EQ(expected.status.asleep > 0, others);
        Running running = start(frame(list, pass));
        ASSERT_TRUE(running);
        running.execute();
        for (const float steps : {1.5f, 0.25f, 0.25f, 2.0f, 1.5f, 0.5f})
            take(running, list, pass, steps * kClockStep);
        EXPECT_TRUE(same_bits(state_of(running), expected)) << static_cast<int>(method);
    }
}

// Contacts and batches are those that the next step finds; residuals are those of the last step,
// which was in an earlier frame than the last.
TEST_F(BodiesClock, ContactsAreThoseThatTheNextStepFinds) {
    const BodyList list = bodies();
    for (const passes::PairMethod pairs : {passes::PairMethod::all, passes::PairMethod::tree}) {
        Simulate pass = timed(3);
        pass.pairs = pairs;
        pass.with_residuals = true;
        const auto started = [&](Simulate with) {
            Graph g = graph();
            with.initial = list.upload(g);
            const Simulate done = g.add(with);
            output(g, done);
            g.output("pairs", done.contacts.pairs.pairs);
            g.output("manifolds", done.contacts.manifolds);
            g.output("ordered", done.batches.ordered);
            g.output("residuals", done.residuals);
            return g;
        };
        Simulate plain = pass;
        plain.clock = StepClock::steps;
        plain.steps = 1;
        Running expected = start(started(plain));
        Running running = start(started(pass));
        ASSERT_TRUE(expected && running);
        running.execute();
        for (const float steps : {1.5f, 2.75f, 0.25f}) {
            pass.frame_time = steps * kClockStep;
            ASSERT_TRUE(running->set_parameters(started(pass).finish().parameters));
            running.execute();
        }
        expected.execute(5); // what 4.5 steps of time need
        EXPECT_TRUE(same_bits(state_of(running), state_of(expected)));
        const auto residuals = running.buffer<float>("residuals");
        EXPECT_EQ(residuals, expected.buffer<float>("residuals"));
        EXPECT_GT(*std::ranges::max_element(residuals), 0.0f);
        expected.execute();
        const std::uint32_t count = state_of(expected).status.pairs;
        ASSERT_GE(count, 4u);
        const auto same = [&](const char* name, auto of, std::size_t first, std::size_t many) {
            const auto got = running.buffer<decltype(of)>(name);
            const auto want = expected.buffer<decltype(of)>(name);
            return got.size() >= first + many &&
                   std::memcmp(&got[first], &want[first], many * sizeof(of)) == 0;
        };
        EXPECT_TRUE(same("pairs", glm::uvec2(), 0, count));
        EXPECT_TRUE(same("ordered", std::uint32_t(), 0, count + list.joints.size()));
        // Points beyond those of a contact are not written.
        const auto manifolds = expected.buffer<glm::vec4>("manifolds");
        for (std::size_t p = 0; p < count; ++p)
            EXPECT_TRUE(same("manifolds", glm::vec4(), 6 * p,
                             1 + std::bit_cast<std::uint32_t>(manifolds[6 * p].w)))
                << p;
    }
}

TEST_F(BodiesClock, WhatIsShownIsBetweenTheLastTwoStates) {
    BodyList list;
    list.sphere(0.5f, {.place = {0.0f, 10.0f, 0.0f}, .spin = {0.0f, 0.0f, 3.0f}});
    const Simulate pass = timed(2);
    Running running = start(frame(list, pass));
    ASSERT_TRUE(running);
    running.execute(); // begins
    EXPECT_EQ(running.buffer<glm::vec4>("shown")[0], list.places[0]);
    // Semi-implicit steps fall by g dt^2 k (k + 1) / 2.
    const auto height = [](int k) {
        return 10.0 - 9.81 / 3600.0 * 0.5 * static_cast<double>(k * (k + 1));
    };
    double time = 0.0; // steps
    for (const double length : {0.25, 0.25, 0.5, 0.25, 1.5, 0.125}) {
        take(running, list, pass, static_cast<float>(length) * kClockStep);
        time += length;
        const int after = static_cast<int>(std::ceil(time));
        const double share = time - (after - 1);
        const BodyState state = state_of(running);
        EXPECT_NEAR(state.places[0].y, height(after), 1e-5) << time;
        const glm::vec4 shown = running.buffer<glm::vec4>("shown")[0];
        EXPECT_NEAR(shown.y, height(after - 1) + share * (height(after) - height(after - 1)), 1e-5)
            << time;
        EXPECT_EQ(shown.w, list.places[0].w);
        // It turns by 3 radians a second; a chord's error is below the cube of the half angle.
        const glm::vec4 turn = running.buffer<glm::vec4>("shown_turns")[0];
        EXPECT_NEAR(2.0 * std::asin(static_cast<double>(turn.z)), 3.0 / 60.0 * time, 1e-4) << time;
        EXPECT_NEAR(glm::length(turn), 1.0f, 1e-6f);
    }
}

// Bad input: frames for which there is no room, that take no time, or without a step's length.
TEST_F(BodiesClock, TimeThatDoesNotFitIsLost) {
    BodyList list;
    list.sphere(0.5f, {.velocity = {60.0f, 0.0f, 0.0f}}); // a metre a step
    Simulate pass = timed(2);
    pass.gravity = glm::vec3(0.0f);
    Running running = start(frame(list, pass));
    ASSERT_TRUE(running);
    running.execute();
    take(running, list, pass, 10.0f);
    EXPECT_NEAR(state_of(running).places[0].x, 2.0f, 1e-5f);
    const auto warnings = running->warnings();
    ASSERT_TRUE(warnings);
    ASSERT_EQ(warnings->size(), 1u);
    EXPECT_EQ((*warnings)[0].code, "bodies/lost-time");
    EXPECT_TRUE((*warnings)[0].message.contains(" 598 "));
    take(running, list, pass, kClockStep);
    EXPECT_NEAR(state_of(running).places[0].x, 3.0f, 1e-5f);
    EXPECT_TRUE(running->warnings().value_or(Diagnostics(1)).empty());
    take(running, list, pass, 0.0f);
    EXPECT_NEAR(running.buffer<glm::vec4>("shown")[0].x, 3.0f, 1e-5f);
    Simulate still = pass;
    still.dt = 0.0f;
    take(running, list, still, 1.0f);
    EXPECT_NEAR(running.buffer<glm::vec4>("shown")[0].x, 3.0f, 1e-5f);
    Simulate again = pass;
    again.reset = true;
    take(running, list, again, 1.0f);
    EXPECT_EQ(state_of(running).places[0].x, 0.0f);
    EXPECT_EQ(running.buffer<glm::vec4>("shown")[0].x, 0.0f);
}

} // namespace
} // namespace tuff
