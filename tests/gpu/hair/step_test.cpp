#include "passes/hair/colliders.hpp"
#include "tests/gpu/hair/hair_test.hpp"

#include <fmt/format.h>

/// Steps against the reference in double precision, and what they must keep: checks 1 to 3 of the
/// chapter's list.
namespace tuff {
namespace {

using passes::HairMotion;
using passes::HairPipeline;
using passes::LengthSolver;
using passes::SimulateHair;
using passes::StepHair;
using reference::Strand;
using reference::Turn;
using reference::Vec;
using testing_gpu::HostHair;
using testing_gpu::Running;

constexpr std::array kPipelines{HairPipeline::fused, HairPipeline::split};
const std::vector<float> kTwoCapsules{0.1f, 0.0f, 0.0f, 0.3f,  -0.2f, 0.4f, 0.1f, 0.25f,
                                      0.5f, 0.5f, 0.5f, 0.35f, 0.5f,  0.5f, 0.5f, 0.35f};

std::vector<reference::Capsule> capsules_of(const std::vector<float>& n) {
    std::vector<reference::Capsule> all;
    for (std::size_t i = 0; i < n.size(); i += 8)
        all.push_back({Vec(n[i], n[i + 1], n[i + 2]), Vec(n[i + 4], n[i + 5], n[i + 6]),
                       static_cast<double>(n[i + 3]), static_cast<double>(n[i + 7])});
    return all;
}

class HairStepTest : public testing_gpu::HairTest {
  protected:
    /// Hair after a step from rest, where the head moves and turns.
    Running stepped(const HostHair& hair, StepHair pass, bool bodies) {
        Graph g = graph();
        pass.groom = groom_of(g, hair);
        if (bodies)
            pass.colliders =
                g.add(passes::CollideHair{.capsules = kTwoCapsules, .attached = false}).colliders;
        pass = g.add(pass);
        output(g, pass.after);
        g.output("tangents", pass.shape.tangents);
        return run(std::move(g));
    }
};

Turn turn_of(const passes::HeadParameters& head) {
    const glm::vec4 q = head.quaternion();
    return {static_cast<double>(q.w), static_cast<double>(q.x), static_cast<double>(q.y),
            static_cast<double>(q.z)};
}

TEST_F(HairStepTest, Check1OneStepIsThatOfTheReferenceInBothPipelinesAndOrders) {
    // 45 strands of 12 and of 33: several groups, lanes to spare, and the last group not full.
    for (const std::uint32_t vertices : {3u, 12u, 33u, 64u})
        for (const HairPipeline pipeline : kPipelines)
            for (const auto order : {passes::WindOrder::wind_first, passes::WindOrder::chapter}) {
                const HostHair hair = testing_gpu::random_hair(45, vertices, vertices);
                StepHair pass;
                pass.head = {.position = {0.004f, 0.002f, -0.003f}, .turn = {2.0f, 1.0f, 0.5f}};
                pass.motion.pipeline = pipeline;
                pass.motion.order = order;
                pass.motion.wind = {3.0f, 1.0f, -2.0f};
                pass.motion.time = 0.3f;
                pass.motion.fades = true;
                pass.motion.wind_by_length = order == passes::WindOrder::chapter;
                Running running = stepped(hair, pass, true);
                const auto got = running.buffer<glm::vec4>("positions");
                const auto before = running.buffer<glm::vec4>("previous");
                const auto tangents = running.buffer<glm::vec4>("tangents");
                reference::Forces forces = testing_gpu::forces_of(pass.motion, 1.0 / 60.0);
                forces.capsules = capsules_of(kTwoCapsules);
                double most = 0.0;
                for (std::uint32_t s = 0; s < hair.count; ++s) {
                    Strand strand(hair.strand(s), s);
                    strand.step(forces, turn_of(pass.head), Vec(pass.head.position));
                    const std::size_t first = std::size_t{s} * vertices;
                    most = std::max(most, distance_to(got, first, strand.x));
                    most = std::max(most, distance_to(before, first, strand.before));
                    for (std::uint32_t v = 0; v + 1 < vertices; ++v)
                        ASSERT_LT(glm::distance(Vec(tangents[first + v]),
                                                glm::normalize(strand.x[v + 1] - strand.x[v])),
                                  1e-4);
                }
                // Places of up to 2 units: some roundings of 2^-24 each.
                EXPECT_LT(most, 1.5e-6) << vertices << " vertices, pipeline " << int(pipeline);
            }
}

TEST_F(HairStepTest, Check1AfterManyStepsItStillIsAndTwoRunsAreTheSameBits) {
    // Near the origin: places far from it are rounded more.
    const HostHair hair = testing_gpu::random_hair(64, 16, 7, 0.1f);
    for (const HairPipeline pipeline : kPipelines) {
        SimulateHair pass;
        pass.motion.pipeline = pipeline;
        const auto got = simulated(hair, pass, 120);
        ASSERT_EQ(got, simulated(hair, pass, 120));
        const reference::Forces forces = testing_gpu::forces_of(pass.motion, 1.0 / 60.0);
        for (std::uint32_t s = 0; s < hair.count; ++s) {
            Strand strand(hair.strand(s), s);
            for (int step = 0; step < 120; ++step)
                strand.step(forces);
            ASSERT_LT(distance_to(got, std::size_t{s} * 16, strand.x), 1e-4 * hair.length());
        }
    }
}

TEST_F(HairStepTest, SubStepsAreStepsOfTheirLengthInBothPipelines) {
    const HostHair hair = testing_gpu::random_hair(40, 10, 9);
    for (const HairPipeline pipeline : kPipelines)
        for (const LengthSolver solver : {LengthSolver::batches, LengthSolver::soft}) {
            SimulateHair pass;
            pass.motion.pipeline = pipeline;
            pass.motion.substeps = 3;
            pass.motion.solver = solver;
            pass.motion.compliance = 1e-5f;
            pass.motion.global_range = {0.35f}; // 0.3 of ten vertices ends at one
            const auto got = simulated(hair, pass, 10);
            const reference::Forces forces = testing_gpu::forces_of(pass.motion, 1.0 / 60.0);
            for (std::uint32_t s = 0; s < hair.count; ++s) {
                Strand strand(hair.strand(s), s);
                for (int step = 0; step < 30; ++step)
                    strand.step(forces);
                // Verlet adds its roundings up over 30 steps: about 30^2 / 2 of 2^-24.
                ASSERT_LT(distance_to(got, std::size_t{s} * 10, strand.x), 4e-5) << int(solver);
            }
        }
}

TEST_F(HairStepTest, FusedAndSplitStepsAgreeForEverySolver) {
    const HostHair hair = testing_gpu::random_hair(40, 16, 3);
    for (const LengthSolver solver :
         {LengthSolver::batches, LengthSolver::follow, LengthSolver::adaptive, LengthSolver::direct,
          LengthSolver::soft, LengthSolver::rod})
        for (const bool closing : {false, true}) {
            std::vector<std::vector<glm::vec4>> results;
            for (const HairPipeline pipeline : kPipelines) {
                StepHair pass;
                pass.motion.pipeline = pipeline;
                pass.motion.solver = solver;
                pass.motion.closing = closing;
                pass.motion.wind = {2.0f, 0.0f, 0.0f};
                pass.motion.correction = 0.5f;
                Running running = stepped(hair, pass, true);
                results.push_back(running.buffer<glm::vec4>("positions"));
            }
            for (std::size_t i = 0; i < results[0].size(); ++i)
                ASSERT_LT(glm::distance(results[0][i], results[1][i]), 2e-6)
                    << int(solver) << " vertex " << i;
        }
}

TEST_F(HairStepTest, AnyNumberOfLanesOfAStrandGivesTheSameHair) {
    TUFF_ONLY_ON(swiftshader); // kernels that lavapipe takes seconds to compile, and one way to run
    struct Case {
        LengthSolver solver;
        std::uint32_t vertices, lanes; // 13 in parts of 4 and 37 in parts of 5: the last is shorter
    };
    for (const Case& of : {Case{LengthSolver::batches, 13, 4}, Case{LengthSolver::direct, 13, 4},
                           Case{LengthSolver::direct, 37, 8}, Case{LengthSolver::soft, 3, 8}}) {
        const HostHair hair = testing_gpu::random_hair(35, of.vertices, 3);
        std::vector<std::vector<glm::vec4>> results;
        for (const std::uint32_t lanes : {1u, of.lanes}) {
            StepHair pass;
            pass.motion.lanes = lanes;
            pass.motion.solver = of.solver;
            pass.motion.substeps = 2;
            pass.motion.compliance = of.solver == LengthSolver::soft ? 1e-5f : 0.0f;
            pass.motion.wind = {2.0f, 0.0f, 0.0f};
            pass.head = {.position = {0.01f, 0.0f, 0.0f}, .turn = {5.0f, 3.0f, 0.0f}};
            Running running = stepped(hair, pass, true);
            results.push_back(running.buffer<glm::vec4>("positions"));
        }
        for (std::size_t i = 0; i < results[0].size(); ++i)
            ASSERT_LT(glm::distance(results[0][i], results[1][i]), 2e-6)
                << "solver " << int(of.solver) << ", vertex " << i;
    }
}

TEST_F(HairStepTest, Check2RestStaysRest) {
    const HostHair hair = testing_gpu::random_hair(20, 16, 5);
    SimulateHair pass;
    pass.motion.gravity = glm::vec3(0.0f);
    pass.motion.local_stiffness = {0.9f};
    const auto got = simulated(hair, pass, 1000);
    for (std::uint32_t s = 0; s < hair.count; ++s)
        EXPECT_LT(distance_to(got, std::size_t{s} * 16, hair.strand(s)), 1e-5 * hair.length());
}

TEST_F(HairStepTest, Check2AndCheck3HairThatIsPulledFullyIsTransportedAndRootsAreExact) {
    const HostHair hair = testing_gpu::random_hair(50, 16, 6);
    StepHair pass;
    pass.head = {.position = {0.3f, -0.2f, 0.1f}, .turn = {20.0f, 50.0f, -30.0f}};
    pass.motion.global_stiffness = {1.0f};
    pass.motion.global_range = {1.0f};
    Running moved = stepped(hair, pass, false);
    pass.motion.mode = passes::HairMode::rigid;
    Running carried = stepped(hair, pass, false);
    const auto a = moved.buffer<glm::vec4>("positions");
    const auto b = carried.buffer<glm::vec4>("positions");
    for (std::uint32_t s = 0; s < hair.count; ++s)
        for (std::uint32_t v = 0; v < 16; ++v) {
            const std::size_t at = std::size_t{s} * 16 + v;
            const Vec wanted = turn_of(pass.head) * Vec(hair.points[at]) + Vec(pass.head.position);
            ASSERT_LT(glm::distance(Vec(b[at]), wanted), 1e-6);
            ASSERT_LT(glm::distance(Vec(a[at]), Vec(b[at])), 1e-5 * hair.length());
            if (v < 2) {
                ASSERT_EQ(a[at], b[at]) << "check 3";
            }
        }
}

} // namespace
} // namespace tuff
