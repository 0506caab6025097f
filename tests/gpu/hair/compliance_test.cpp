#include "tests/gpu/hair/hair_test.hpp"

#include <fmt/format.h>

/// How far hair gives way that has compliance.
namespace tuff {
namespace {

using passes::LengthSolver;
using passes::SimulateHair;
using reference::Vec;
using testing_gpu::hanging;
using testing_gpu::HostHair;

class HairComplianceTest : public testing_gpu::HairTest {
  protected:
    static SimulateHair free_hanging(LengthSolver solver = LengthSolver::batches) {
        SimulateHair pass;
        pass.motion.damping = {0.02f};
        pass.motion.local_stiffness = {0.0f};
        pass.motion.global_stiffness = {0.0f};
        pass.motion.solver = solver;
        return pass;
    }
};

// An edge that gives way is longer by compliance, mass and gravity times the vertices that hang
// from it, however many iterations and sub-steps a step has.
TEST_F(HairComplianceTest, ComplianceIsAnElongationWhateverTheIterationsAndSubSteps) {
    const HostHair hair = hanging(8, 0.1f);
    const double compliance = 1e-3;
    for (const LengthSolver solver : {LengthSolver::soft, LengthSolver::direct, LengthSolver::rod})
        for (const std::uint32_t iterations : {4u, 16u})
            for (const std::uint32_t substeps : {1u, 3u}) {
                SimulateHair pass = free_hanging(solver);
                pass.motion.damping = {0.15f};
                pass.motion.gravity = {0.0f, -1.0f, 0.0f};
                pass.motion.compliance = static_cast<float>(compliance);
                pass.motion.length_iterations = iterations;
                pass.motion.substeps = substeps;
                const std::vector<glm::vec4> got = simulated(hair, pass, 240);
                for (std::uint32_t v = 1; v + 1 < hair.vertices; ++v) {
                    const double longer =
                        glm::distance(Vec(got[v]), Vec(got[v + 1])) - static_cast<double>(0.1f);
                    const double wanted = compliance * (hair.vertices - 1 - v);
                    EXPECT_NEAR(longer, wanted, 0.01 * wanted)
                        << fmt::format("solver {}, {} iterations, {} sub-steps, edge {}",
                                       int(solver), iterations, substeps, v);
                }
            }
}

// A rod that is held level sinks as a chain of hinges does: each bends by four times its compliance
// times the torque of what is beyond it.
TEST_F(HairComplianceTest, BendComplianceIsADeflectionWhateverTheIterationsAndSubSteps) {
    HostHair hair{.count = 1, .vertices = 6};
    for (std::uint32_t v = 0; v < hair.vertices; ++v)
        hair.points.emplace_back(0.1f * static_cast<float>(v), 0.0f, 0.0f, 1.0f);
    const double compliance = 5e-4; // frames come to rest the sooner, the stiffer they are
    double angle = 0.0;
    double sinks = 0.0;
    for (std::uint32_t v = 1; v + 1 < hair.vertices; ++v) { // the hinge at v
        double torque = 0.0;
        for (std::uint32_t w = v + 1; w < hair.vertices; ++w)
            torque += 0.1 * (w - v);
        angle += 4.0 * compliance * torque;
        sinks += 0.1 * std::sin(angle);
    }
    for (const std::uint32_t iterations : {20u, 60u})
        for (const std::uint32_t substeps : {1u, 3u}) {
            SimulateHair pass = free_hanging(LengthSolver::rod);
            pass.motion.damping = {0.15f};
            pass.motion.gravity = {0.0f, -1.0f, 0.0f};
            pass.motion.bend_compliance = static_cast<float>(compliance);
            pass.motion.length_iterations = iterations;
            pass.motion.substeps = substeps;
            const std::vector<glm::vec4> got = simulated(hair, pass, 480);
            EXPECT_NEAR(-static_cast<double>(got.back().y), sinks, 0.05 * sinks)
                << iterations << " iterations, " << substeps << " sub-steps";
        }
}

} // namespace
} // namespace tuff
