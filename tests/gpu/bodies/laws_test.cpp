#include "passes/bodies/scene.hpp"
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

// Check 4, analytic: the speed of impact is sqrt(2 g h) to half a per cent; without restitution
// nothing is left of it to 1e-4, else that share to one per cent.
TEST_F(BodiesLaws, ASphereThatFallsArrivesAndBouncesAsItShould) {
    constexpr int kSteps = 150; // after which it is just above the floor
    constexpr double kDt = 1.0 / 240.0;
    const double high = kGravity * kDt * kDt * kSteps * (kSteps + 1) / 2 + 1e-3;
    const double impact = std::sqrt(2.0 * kGravity * high);
    for (const float restitution : {0.0f, 0.5f, 1.0f}) {
        BodyList list;
        list.plane({.restitution = 0.0f});
        list.sphere(0.5f, {.place = {0.0f, 0.5f + static_cast<float>(high), 0.0f},
                           .restitution = restitution});
        Simulate pass = few(10);
        pass.dt = static_cast<float>(kDt);
        Running running = begin(list, pass);
        running.execute(kSteps / 10);
        EXPECT_NEAR(state_of(running).motions[1].velocity.y, -impact, 0.005 * impact);
        // It bounces in the next step; nine more slow it down.
        running.execute();
        const double after = static_cast<double>(state_of(running).motions[1].velocity.y);
        if (restitution == 0.0f)
            EXPECT_NEAR(after, 0.0, 1e-4);
        else
            EXPECT_NEAR(after + 9.0 * kGravity * kDt, static_cast<double>(restitution) * impact,
                        0.01 * static_cast<double>(restitution) * impact);
    }
}

// By block descent, too: nothing is left of the speed, and the impulse of the impact, which the
// next step begins with, throws nothing up again.
TEST_F(BodiesLaws, ABodyThatLandsByBlockDescentStays) {
    BodyList list;
    list.plane({});
    list.sphere(0.5f, {.place = {0.0f, 0.501f, 0.0f}, .velocity = {0.0f, -6.0f, 0.0f}});
    Simulate pass = few(6);
    pass.dt = 1.0f / 240.0f;
    pass.solver.method = passes::SolverMethod::avbd;
    Running running = begin(list, pass);
    for (int i = 0; i < 2; ++i) {
        running.execute();
        const BodyState state = state_of(running);
        EXPECT_NEAR(state.places[1].y, 0.5f, 1e-4f) << i;
        EXPECT_NEAR(state.motions[1].velocity.y, 0.0f, 1e-4f) << i;
    }
}

// A ball rises to e^2 of the height that it falls from. The step that would take it through the
// floor bounces it where it is, up to speed * dt above the floor, and takes it e * speed * dt
// higher.
TEST_F(BodiesLaws, ABallBouncesByBlockDescentToTheSquareOfItsRestitution) {
    constexpr double kHigh = 0.5;
    constexpr double kDt = 1.0 / 120.0;
    const double speed = std::sqrt(2.0 * kGravity * kHigh);
    for (const float restitution : {0.4f, 0.8f}) {
        const auto e = static_cast<double>(restitution);
        BodyList list;
        list.plane({.restitution = 0.0f});
        list.sphere(0.5f, {.place = {0.0f, 0.5f + static_cast<float>(kHigh), 0.0f},
                           .restitution = restitution});
        Simulate pass = few(4);
        pass.dt = static_cast<float>(kDt);
        pass.solver.method = passes::SolverMethod::avbd;
        pass.solver.iterations = 4;
        Running running = begin(list, pass);
        double top = 0.0;
        for (double time = 0.0; time < (1.0 + 1.3 * e) * speed / kGravity; time += 4.0 * kDt) {
            running.execute();
            const BodyState state = state_of(running);
            if (time > (1.0 + 0.5 * e) * speed / kGravity) // after the impact
                top = std::max(top, static_cast<double>(state.places[1].y) - 0.5);
        }
        EXPECT_NEAR(top, e * e * kHigh, (1.0 + e) * speed * kDt) << restitution;
        EXPECT_GT(top, 0.9 * e * e * kHigh) << restitution;
    }
}

// Check 4, analytic: g (sin - mu cos) where tan > mu, at rest where it is less.
TEST_F(BodiesLaws, ABoxOnASlopeSlidesWhereItIsSteepEnough) {
    TUFF_ONLY_ON(lavapipe);
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

// Check 4, stack: ten boxes, ten iterations, 1/240 s, ten seconds: they stay, and the impulse at
// the bottom is the weight times dt. In ten more seconds, on the device that takes less time for
// them, they move so little that they would stand for 10^4 steps.
TEST_F(BodiesLaws, ATowerOfTenStandsAndPressesWithItsWeight) {
    TUFF_ONLY_ON(lavapipe);
    BodyList list;
    list.plane({});
    for (int i = 0; i < 10; ++i)
        list.box(glm::vec3(0.5f), {.place = {0.0f, 0.5f + static_cast<float>(i), 0.0f}});
    Simulate pass = few(40);
    pass.dt = 1.0f / 240.0f;
    Graph g = graph();
    pass.initial = list.upload(g);
    pass = g.add(pass);
    output(g, pass);
    g.output("pairs", pass.cache.pairs);
    g.output("impulses", pass.cache.impulses);
    Running running = run(std::move(g), 60);
    const auto expect_standing = [&](const BodyState& state) {
        ASSERT_EQ(state.places.size(), 11u);
        for (std::size_t i = 1; i <= 10; ++i) {
            const auto high = static_cast<float>(i);
            EXPECT_NEAR(state.places[i].x, 0.0f, 0.01f * high) << i;
            EXPECT_NEAR(state.places[i].z, 0.0f, 0.01f * high) << i;
            EXPECT_NEAR(state.places[i].y, high - 0.5f, 0.01f * high) << i;
        }
        EXPECT_LT(state.status.penetration(), 2.0f * 0.005f);
        EXPECT_EQ(state.status.contacts, 10u);
        EXPECT_EQ(state.status.points, 40u);
    };
    const BodyState state = state_of(running);
    expect_standing(state);
    const auto pairs = running.buffer<glm::uvec2>("pairs");
    const auto impulses = running.buffer<glm::vec4>("impulses");
    double sum = 0.0;
    for (std::size_t p = 0; p < 10; ++p)
        if (pairs[p] == glm::uvec2(1, 0))
            for (std::size_t k = 0; k < 4; ++k)
                sum += static_cast<double>(impulses[4 * p + k].x);
    EXPECT_NEAR(sum, 10.0 * kGravity / 240.0, 0.02 * 10.0 * kGravity / 240.0);
    if (test::leaves_to("lavapipe")) return;
    running.execute(60);
    const BodyState later = state_of(running);
    expect_standing(later);
    for (std::size_t i = 1; i <= 10; ++i)
        EXPECT_LT(glm::length(glm::vec3(later.places[i] - state.places[i])),
                  0.01f * static_cast<float>(i) * 2400.0f / 10000.0f)
            << i;
}

// A house of cards of three storeys stands for a second of soft contacts.
TEST_F(BodiesLaws, AHouseOfCardsStands) {
    Graph g = graph();
    const auto list = passes::make_bodies(
        g, {.preset = passes::ScenePreset::cards, .count = 3, .mass = 0.1f, .friction = 0.8f});
    ASSERT_TRUE(list);
    Simulate pass = few(10);
    pass.dt = 1.0f / 120.0f;
    pass.margin = 0.004f;
    pass.solver = {.method = passes::SolverMethod::soft, .slop = 0.0005f};
    const BodyState state = simulated(*list, pass, 12);
    for (std::size_t i = 1; i < list->size(); ++i)
        EXPECT_LT(glm::length(glm::vec3(state.places[i] - list->places[i])), 0.05f) << i;
}

// Head-on spheres of equal mass: they exchange velocities, momentum to 1e-6, energy to 0.1 %.
TEST_F(BodiesLaws, EqualSpheresExchangeTheirVelocities) {
    BodyList list;
    list.sphere(
        0.5f, {.place = {-1.0f, 0.0f, 0.0f}, .velocity = {3.0f, 0.0f, 0.0f}, .restitution = 1.0f});
    list.sphere(
        0.5f, {.place = {1.0f, 0.0f, 0.0f}, .velocity = {-1.0f, 0.0f, 0.0f}, .restitution = 1.0f});
    Simulate pass = few(60);
    pass.dt = 1.0f / 120.0f;
    pass.gravity = glm::vec3(0.0f);
    const BodyState state = simulated(list, pass);
    EXPECT_NEAR(state.motions[0].velocity.x, -1.0f, 2e-3f);
    EXPECT_NEAR(state.motions[1].velocity.x, 3.0f, 2e-3f);
    EXPECT_NEAR(state.motions[0].velocity.x + state.motions[1].velocity.x, 2.0f, 4e-6f);
    const double first = state.motions[0].velocity.x;
    const double second = state.motions[1].velocity.x;
    EXPECT_NEAR(first * first + second * second, 10.0, 0.001 * 10.0);
}

// A ball that slides begins to roll, with 5/7 of its speed.
TEST_F(BodiesLaws, ABallThatSlidesComesToRoll) {
    BodyList list;
    list.plane({.friction = 0.4f});
    list.sphere(0.5f,
                {.place = {0.0f, 0.5f, 0.0f}, .velocity = {3.5f, 0.0f, 0.0f}, .friction = 0.4f});
    Simulate pass = few(40);
    pass.dt = 1.0f / 240.0f;
    const BodyState state = simulated(list, pass, 6); // after 2/7 v / (mu g) = 0.25 s
    EXPECT_NEAR(state.motions[1].velocity.x, 2.5f, 0.02f);
    EXPECT_NEAR(state.motions[1].spin.z, -5.0f, 0.05f);
}

// Newton's cradle: the last ball leaves with nearly the speed of the first, the others hardly move.
TEST_F(BodiesLaws, ACradlePassesTheBlowOn) {
    BodyList list;
    for (int i = 0; i < 5; ++i)
        list.sphere(0.5f,
                    {.place = {1.002f * static_cast<float>(i) - (i == 0 ? 1.0f : 0.0f), 0.0f, 0.0f},
                     .velocity = {i == 0 ? 2.0f : 0.0f, 0.0f, 0.0f},
                     .friction = 0.0f,
                     .restitution = 1.0f});
    Simulate pass = few(60);
    pass.dt = 1.0f / 240.0f;
    pass.gravity = glm::vec3(0.0f);
    pass.margin = 0.0f;
    pass.solver.threshold = 0.01f;
    const BodyState state = simulated(list, pass, 3);
    EXPECT_GT(state.motions[4].velocity.x, 1.9f);
    double energy = 0.0;
    for (std::size_t i = 0; i < 5; ++i) {
        energy += 0.5 * static_cast<double>(
                            glm::dot(state.motions[i].velocity, state.motions[i].velocity));
        if (i < 4) {
            EXPECT_LT(std::abs(state.motions[i].velocity.x), 0.25f) << i;
        }
    }
    EXPECT_NEAR(energy, 2.0, 0.02);
}

// A body that is free keeps its angular momentum, and its energy nearly.
TEST_F(BodiesLaws, AFreeTopKeepsItsAngularMomentum) {
    BodyList list;
    list.box({0.5f, 0.2f, 0.1f}, {.spin = {0.3f, 5.0f, 0.2f}}); // about the middle axis: it tumbles
    const glm::dvec3 inertia = 1.0 / glm::dvec3(list.shapes[0].inverse_inertia);
    const auto momentum = [&](glm::vec4 turn, glm::vec3 spin) {
        const glm::dquat q(turn.w, turn.x, turn.y, turn.z);
        return q * (inertia * (glm::inverse(q) * glm::dvec3(spin)));
    };
    const auto energy = [&](glm::vec4 turn, glm::vec3 spin) {
        return 0.5 * glm::dot(momentum(turn, spin), glm::dvec3(spin));
    };
    Simulate pass = few(60);
    pass.gravity = glm::vec3(0.0f);
    pass.dt = 1.0f / 240.0f;
    const BodyState state = simulated(list, pass, 8);
    const glm::dvec3 before = momentum(list.turns[0], list.motions[0].spin);
    const glm::dvec3 after = momentum(state.turns[0], state.motions[0].spin);
    EXPECT_LT(glm::length(after - before), 1e-4 * glm::length(before));
    const double first = energy(list.turns[0], list.motions[0].spin);
    EXPECT_NEAR(energy(state.turns[0], state.motions[0].spin), first, 0.02 * first);
}

} // namespace
} // namespace tuff
