#include "passes/hair/colliders.hpp"
#include "tests/gpu/hair/hair_test.hpp"

#include <cstdlib>
#include <limits>

/// Hair from execution to execution: fixed steps, heads that jump, states that are damaged; other
/// hair and fields of distances.
namespace tuff {
namespace {

using passes::SimulateHair;
using passes::StepHair;
using reference::Vec;
using testing_gpu::HostHair;
using testing_gpu::Running;

class HairTimeTest : public testing_gpu::HairTest {
  protected:
    Graph graph_of(const HostHair& hair, SimulateHair pass,
                   const std::vector<float>& capsules = {}) {
        Graph g = graph();
        pass.groom = groom_of(g, hair);
        if (!capsules.empty())
            pass.colliders = g.add(passes::CollideHair{.capsules = capsules}).colliders;
        pass = g.add(pass);
        output(g, pass.state);
        g.output("shown", pass.shape.positions);
        g.output("status", pass.status);
        return g;
    }
    /// Goes on with other parameters.
    void execute(Running& running, const HostHair& hair, const SimulateHair& pass,
                 const std::vector<float>& capsules = {}) {
        const GraphDesc next = graph_of(hair, pass, capsules).finish();
        running->set_parameters(next.parameters);
        running.execute();
    }
};

TEST_F(HairTimeTest, FramesOfAnyLengthTakeFixedStepsAndShowWhatLiesBetween) {
    const HostHair hair = testing_gpu::random_hair(10, 8, 1);
    SimulateHair pass;
    pass.most_steps = 4;
    std::vector<std::vector<glm::vec4>> steps; // after each step of 1/60 s
    Running fixed = run(graph_of(hair, pass));
    steps.push_back(fixed.buffer<glm::vec4>("positions"));
    for (int i = 0; i < 12; ++i) {
        fixed.execute();
        steps.push_back(fixed.buffer<glm::vec4>("positions"));
    }
    // 2.5 steps a frame: 3, 2, 3, 2; the picture is between two states, or at one.
    pass.frame_time = 2.5f / 60.0f;
    Running running = run(graph_of(hair, pass));
    double time = 0.0; // in steps
    for (const std::size_t reached : {3u, 5u, 8u, 10u}) {
        running.execute();
        time += 2.5;
        ASSERT_EQ(running.buffer<glm::vec4>("positions"), steps[reached]);
        const auto shown = running.buffer<glm::vec4>("shown");
        const auto share = static_cast<float>(1.0 + time - static_cast<double>(reached));
        for (std::size_t i = 0; i < shown.size(); ++i)
            ASSERT_LT(
                glm::distance(glm::vec3(shown[i]), glm::mix(glm::vec3(steps[reached - 1][i]),
                                                            glm::vec3(steps[reached][i]), share)),
                2e-5)
                << reached;
    }
    // Shorter than a step: the state waits, and the picture goes on.
    pass.frame_time = 0.25f / 60.0f;
    Running slow = run(graph_of(hair, pass));
    for (int i = 1; i <= 8; ++i) {
        slow.execute();
        const std::size_t reached = static_cast<std::size_t>((i + 3) / 4);
        ASSERT_EQ(slow.buffer<glm::vec4>("positions"), steps[reached]) << i;
    }
    // More steps than there is room for: time is lost, and nothing else.
    pass.frame_time = 1.0f;
    Running late = run(graph_of(hair, pass), 2);
    EXPECT_EQ(late.buffer<glm::vec4>("positions"), steps[4]);
    // Without time nothing moves.
    pass.dt = 0.0f;
    Running stopped = run(graph_of(hair, pass), 3);
    EXPECT_EQ(stopped.buffer<glm::vec4>("positions"), steps[0]);
}

TEST_F(HairTimeTest, HairBeginsAgainWhereTheHeadJumps) {
    const HostHair hair = testing_gpu::random_hair(10, 8, 1);
    SimulateHair pass;
    pass.most_steps = 1;
    pass.teleport = 0.5f;
    Running running = run(graph_of(hair, pass), 20);
    const auto fallen = running.buffer<glm::vec4>("positions");
    pass.head.position = {0.4f, 0.0f, 0.0f}; // near enough to follow
    execute(running, hair, pass);
    EXPECT_GT(glm::distance(Vec(running.buffer<glm::vec4>("positions")[7]),
                            Vec(hair.points[7]) + Vec(0.4f, 0.0, 0.0)),
              1e-3);
    pass.head.position = {3.0f, 0.0f, 0.0f};
    execute(running, hair, pass);
    for (const std::string name : {"positions", "previous", "shown"}) {
        const auto got = running.buffer<glm::vec4>(name);
        for (std::size_t i = 0; i < got.size(); ++i)
            ASSERT_LT(glm::distance(Vec(got[i]), Vec(hair.points[i]) + Vec(3.0, 0.0, 0.0)), 1e-6)
                << name;
    }
    running.execute(5); // on from there
    const auto after = running.buffer<glm::vec4>("positions");
    EXPECT_LT(after[7].y, hair.points[7].y);
    pass.reset = true;
    execute(running, hair, pass);
    const auto reset = running.buffer<glm::vec4>("positions");
    EXPECT_LT(glm::distance(Vec(reset[7]), Vec(hair.points[7]) + Vec(3.0, 0.0, 0.0)), 1e-6);
}

TEST_F(HairTimeTest, RootsAreShownWhereTheHeadIsWhateverTheStep) {
    const HostHair hair = testing_gpu::random_hair(10, 8, 1);
    SimulateHair pass;
    pass.frame_time = 0.6f / 60.0f;
    Running running = run(graph_of(hair, pass));
    for (int i = 1; i < 6; ++i) {
        pass.head = {.position = {0.02f * static_cast<float>(i), 0.0f, 0.0f},
                     .turn = {0.0f, 10.0f * static_cast<float>(i), 0.0f}};
        execute(running, hair, pass);
        const auto shown = running.buffer<glm::vec4>("shown");
        const glm::vec4 q = pass.head.quaternion();
        const glm::dquat turn(q.w, q.x, q.y, q.z);
        for (std::size_t s = 0; s < 10; ++s)
            for (std::size_t v = 0; v < 2; ++v)
                ASSERT_LT(glm::distance(Vec(shown[8 * s + v]), turn * Vec(hair.points[8 * s + v]) +
                                                                   Vec(pass.head.position)),
                          1e-6);
    }
}

TEST_F(HairTimeTest, DamagedStrandsBeginAgainAndAreCountedOthersDoNot) {
    const HostHair hair = testing_gpu::random_hair(70, 8, 1);
    std::vector<glm::vec4> places = hair.points;
    places[8 * 3 + 5].x = std::numeric_limits<float>::quiet_NaN();
    places[8 * 68 + 1].z = std::numeric_limits<float>::infinity();
    for (const auto pipeline : {passes::HairPipeline::fused, passes::HairPipeline::split}) {
        Graph g = graph();
        StepHair pass{.groom = groom_of(g, hair)};
        pass.state = {.positions = vectors_of(g, "places", places),
                      .previous = vectors_of(g, "before", hair.points)};
        pass.motion.pipeline = pipeline;
        pass = g.add(pass);
        output(g, pass.after);
        g.output("status", pass.status);
        Running running = run(std::move(g));
        EXPECT_EQ(running.buffer<std::uint32_t>("status")[0], 2u);
        for (const glm::vec4& p : running.buffer<glm::vec4>("positions"))
            ASSERT_TRUE(std::isfinite(p.x + p.y + p.z));
        const Diagnostics warnings = running->warnings().value();
        ASSERT_EQ(warnings.size(), 1u);
        EXPECT_EQ(warnings[0].code, "hair/reset-strands");
    }
}

// 100,000 sub-steps with bodies, wind and a head that is shaken: four strands of 12 vertices, or as
// many strands of 32 as TUFF_HAIR_STRANDS says, for devices that can.
TEST_F(HairTimeTest, AHundredThousandStepsStayFinite) {
    TUFF_ONLY_ON(lavapipe);
    const char* asked = std::getenv("TUFF_HAIR_STRANDS");
    const auto strands =
        asked != nullptr ? static_cast<std::uint32_t>(std::strtoul(asked, nullptr, 10)) : 4u;
    const HostHair hair = testing_gpu::random_hair(strands, asked != nullptr ? 32 : 12, 9);
    // One that tapers from strand to strand, and a ball, both beside vertices.
    std::vector<float> capsules;
    const auto end = [&](std::size_t vertex, float radius) {
        const glm::vec3 at = glm::vec3(hair.points[vertex]) + glm::vec3(0.02f, -0.02f, 0.0f);
        capsules.insert(capsules.end(), {at.x, at.y, at.z, radius});
    };
    end(7, 0.06f);
    end(hair.vertices + 7, 0.04f);
    end(2 * hair.vertices + 8, 0.05f);
    end(2 * hair.vertices + 8, 0.05f);
    SimulateHair pass;
    pass.most_steps = 32;
    pass.frame_time = 40.0f / 60.0f; // more than there is room for: 32 steps each, of 25 sub-steps
    pass.motion.substeps = 25;
    pass.motion.solver = passes::LengthSolver::direct;
    pass.motion.length_iterations = 1;
    pass.motion.closing = true;
    pass.motion.wind = {5.0f, 0.0f, 1.0f};
    pass.teleport = 0.0f;
    Running running = run(graph_of(hair, pass, capsules));
    Running bare = run(graph_of(hair, pass));
    for (int i = 0; i < 125; ++i) {
        pass.head.position = {0.2f * static_cast<float>(i % 2), 0.0f, 0.0f};
        pass.head.turn = {0.0f, 40.0f * static_cast<float>(i % 3), 0.0f};
        pass.motion.time = 0.5f * static_cast<float>(i);
        execute(running, hair, pass, capsules);
        ASSERT_EQ(running.buffer<std::uint32_t>("status")[0], 0u) << "a strand was reset: " << i;
        if (i == 0) { // bodies do count
            execute(bare, hair, pass);
            EXPECT_NE(running.buffer<glm::vec4>("positions"), bare.buffer<glm::vec4>("positions"));
        }
    }
    for (const glm::vec4& p : running.buffer<glm::vec4>("positions"))
        ASSERT_LT(glm::length(glm::vec3(p)), 10.0f);
}

// Capsules that move with the head are where it is after its turn, whether they are parameters or
// come from the device; those that do not stay.
TEST_F(HairTimeTest, CapsulesTurnWithTheHeadIfTheyAreAttached) {
    const HostHair hair = testing_gpu::random_hair(60, 8, 12, 0.6f);
    const std::vector<float> capsule{0.5f, 0.0f, 0.0f, 0.35f, 0.5f, 0.2f, 0.0f, 0.35f};
    const auto quads = std::vector<glm::vec4>{{0.5f, 0.0f, 0.0f, 0.35f}, {0.5f, 0.2f, 0.0f, 0.35f}};
    for (const bool attached : {true, false})
        for (const bool moving : {true, false}) {
            Graph g = graph();
            StepHair pass{.groom = groom_of(g, hair)};
            passes::CollideHair bodies{.attached = attached};
            if (moving)
                bodies.moving = vectors_of(g, "moving", quads);
            else
                bodies.capsules = capsule;
            pass.colliders = g.add(bodies).colliders;
            pass.head_before = {.turn = {0.0f, 0.0f, 80.0f}};
            pass.head = {.turn = {0.0f, 0.0f, 90.0f}}; // x goes to y, y to -x
            g.output("positions", g.add(pass).after.positions);
            Running running = run(std::move(g));
            const auto got = running.buffer<glm::vec4>("positions");
            const Vec low = attached ? Vec(0.0, 0.5, 0.0) : Vec(0.5, 0.0, 0.0);
            const Vec way = attached ? Vec(-0.2, 0.0, 0.0) : Vec(0.0, 0.2, 0.0);
            std::uint32_t touching = 0;
            for (std::size_t i = 0; i < got.size(); ++i) {
                if (i % 8 < 2) continue;
                const Vec p(got[i]);
                const double along =
                    std::clamp(glm::dot(p - low, way) / glm::dot(way, way), 0.0, 1.0);
                const double away =
                    glm::distance(p, low + along * way) - static_cast<double>(0.35f);
                ASSERT_GE(away, -1e-5) << attached << moving;
                touching += away < 1e-5 ? 1u : 0u;
            }
            EXPECT_GT(touching, 10u) << attached << moving;
        }
}

TEST_F(HairTimeTest, CrowdedHairMovesTogetherAndApart) {
    // Two bunches that pass through each other; and one that is too dense.
    HostHair hair{.count = 200, .vertices = 8};
    std::mt19937 random(5);
    const auto number = [&] { return static_cast<float>(random() >> 8) * 0x1p-24f; };
    for (std::uint32_t s = 0; s < 200; ++s) {
        const glm::vec3 root(0.02f * number(), 0.0f, 0.02f * number());
        for (std::uint32_t v = 0; v < 8; ++v)
            hair.points.emplace_back(root.x, -0.02f * static_cast<float>(v), root.z, 1.0f);
    }
    std::vector<glm::vec4> before = hair.points; // half of it moves along x, half against it
    for (std::size_t i = 0; i < before.size(); ++i)
        before[i].x += i / 8 % 2 == 0 ? 0.004f : -0.004f;
    const auto stepped = [&](float friction, float pressure) {
        Graph g = graph();
        StepHair pass{.groom = groom_of(g, hair)};
        pass.state = {.positions = vectors_of(g, "places", hair.points),
                      .previous = vectors_of(g, "before", before)};
        pass.motion.gravity = glm::vec3(0.0f);
        pass.motion.local_stiffness = {0.0f};
        pass.motion.global_stiffness = {0.0f};
        pass.motion.length_iterations = 0;
        pass.motion.damping = {0.0f};
        pass.crowd = {.cells = 16,
                      .low = glm::vec3(-0.16f),
                      .size = 0.32f,
                      .friction = friction,
                      .pressure = pressure,
                      .most = 20.0f};
        output(g, g.add(pass).after);
        Running running = run(std::move(g));
        return std::pair(running.buffer<glm::vec4>("positions"),
                         running.buffer<glm::vec4>("previous"));
    };
    const auto speeds = [](const auto& state) {
        double apart = 0.0, sum = 0.0;
        for (std::size_t i = 0; i < state.first.size(); ++i) {
            if (i % 8 < 2) continue;
            const double way = state.first[i].x - state.second[i].x;
            apart += std::abs(way);
            sum += way;
        }
        return std::array{apart, sum};
    };
    const auto free_apart = speeds(stepped(0.0f, 0.0f));
    const auto rubbed = speeds(stepped(0.5f, 0.0f));
    // Half of the difference to the mean, which is about 0, is lost; the sum stays about 0.
    EXPECT_NEAR(rubbed[0] / free_apart[0], 0.5, 0.03);
    EXPECT_LT(std::abs(rubbed[1]), 0.02 * free_apart[0]);
    const auto spread = [](const auto& state) {
        double sum = 0.0;
        for (std::size_t i = 0; i < state.size(); ++i)
            if (i % 8 >= 2) sum += std::hypot(state[i].x - 0.01, state[i].z - 0.01);
        return sum;
    };
    EXPECT_GT(spread(stepped(1.0f, 0.5f).first), 1.02 * spread(stepped(1.0f, 0.0f).first));
    EXPECT_EQ(stepped(0.5f, 0.5f).first, stepped(0.5f, 0.5f).first) << "the same bits";
}

TEST_F(HairTimeTest, FieldsOfDistancesKeepHairOut) {
    // A sphere of radius 0.6, whose distances are known; 32 texels on a side of 2.4.
    constexpr std::uint32_t kFieldTexels = 32;
    std::vector<float> distances;
    for (std::uint32_t z = 0; z < kFieldTexels; ++z)
        for (std::uint32_t y = 0; y < kFieldTexels; ++y)
            for (std::uint32_t x = 0; x < kFieldTexels; ++x) {
                const glm::vec3 at = (glm::vec3(x, y, z) + 0.5f) * (2.4f / kFieldTexels) - 1.2f;
                distances.push_back((glm::length(at) - 0.6f) * (kFieldTexels / 2.4f)); // texels
            }
    const HostHair hair = testing_gpu::random_hair(80, 16, 51);
    for (const auto pipeline : {passes::HairPipeline::fused, passes::HairPipeline::split}) {
        Graph g = graph();
        const Image field = g.constant_image("field",
                                             {.format = Format::r32_sfloat,
                                              .extent = {kFieldTexels, kFieldTexels, kFieldTexels},
                                              .shape = ImageShape::d3},
                                             testing_gpu::bytes_of(distances));
        StepHair pass{.groom = groom_of(g, hair)};
        pass.motion.pipeline = pipeline;
        pass.colliders = g.add(passes::CollideHair{.field = field,
                                                   .low = glm::vec3(-1.2f),
                                                   .high = glm::vec3(1.2f),
                                                   .scale = 2.4f / kFieldTexels})
                             .colliders;
        g.output("positions", g.add(pass).after.positions);
        Running running = run(std::move(g));
        const auto got = running.buffer<glm::vec4>("positions");
        std::uint32_t touching = 0;
        for (std::size_t i = 0; i < got.size(); ++i) {
            if (i % 16 < 2) continue;
            // Texels of 0.075: the sphere is a polyhedron of them.
            ASSERT_GT(glm::length(glm::vec3(got[i])), 0.6f - 0.01f) << i;
            touching += glm::length(glm::vec3(got[i])) < 0.61f;
        }
        EXPECT_GT(touching, 20u);
    }
}

} // namespace
} // namespace tuff
