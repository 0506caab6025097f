#include "apps/bench/calibration.hpp"
#include "apps/bench/vkfft.hpp"
#include "passes/registry.hpp"
#include "tests/gpu/solver/poisson_test.hpp"

#include <memory>
#include <utility>
#include <vector>

/// The direct solve that benchmarks compare with: transforms by VkFFT, in nodes of the graph.
namespace tuff {
namespace {

using bench::FftPoisson;
using passes::Poisson;
using passes::PoissonBoundaries;
using passes::PoissonBoundary;
using testing_gpu::difference;
using testing_gpu::Field;
using testing_gpu::narrowed;
using testing_gpu::norm;
using testing_gpu::PoissonBox;
using testing_gpu::random_rhs;
using testing_gpu::widened;

class PoissonTransforms : public testing_gpu::PoissonTest {
  protected:
    void SetUp() override {
        PoissonTest::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        if (!FftPoisson::create(device(), {4, 4, 4}, PoissonBoundary::neumann))
            GTEST_SKIP() << "this build has no VkFFT";
        library_.add_embedded(bench::calibration_shaders());
    }
    /// What each way makes of the right-hand side: "direct", and "cycles" where it is wanted.
    struct Solutions {
        std::vector<float> direct;
        Field cycles;
    };
    Solutions solutions(const FftPoisson& fft, const PoissonBox& box, const Field& rhs,
                        bool with_cycles, const CompileOptions& options = {}) {
        Graph g(library_);
        g.set_target(device().caps());
        const Buffer source = numbers(g, "rhs", narrowed(rhs));
        g.output("direct", fft.add(g, source));
        if (with_cycles) keep(g, g.add(on(g, box, rhs, Poisson{.tolerance = 1e-6f})));
        const std::shared_ptr<const Plan> plan = compile_graph(std::move(g), options);
        if (!plan) return {};
        auto executor = Executor::create(device(), library_, plan);
        if (!executor) {
            ADD_FAILURE() << to_string(executor.error());
            return {};
        }
        testing_gpu::Running running(std::move(*executor));
        running.execute(2); // the second records nothing that the first has not
        return {running.buffer<float>("direct"), with_cycles ? fetch(running).u : Field{}};
    }

    static PoissonBox box_of(glm::uvec3 size, PoissonBoundary boundary) {
        return {.size = size,
                .spacing = glm::dvec3(1.0),
                .boundary = PoissonBoundaries::all(boundary),
                .cells = {}};
    }

  private:
    ShaderLibrary library_ = passes::make_shaders();
};

TEST_F(PoissonTransforms, AreTheEigenvectorSolutionsAndThoseOfMultigrid) {
    TUFF_ONLY_ON(lavapipe);
    using enum PoissonBoundary;
    for (const auto& [size, boundary] :
         {std::pair{glm::uvec3(24, 20, 14), neumann}, std::pair{glm::uvec3(40, 36, 1), dirichlet},
          std::pair{glm::uvec3(20, 18, 12), periodic}}) {
        SCOPED_TRACE(static_cast<int>(boundary));
        const PoissonBox box = box_of(size, boundary);
        const Field rhs = random_rhs(box, 23);
        const Field expected = solve_by_eigenvectors(box, rhs);
        const auto fft = FftPoisson::create(device(), size, boundary);
        ASSERT_TRUE(fft) << fft.error();
        const Solutions got = solutions(*fft, box, rhs, true);
        ASSERT_EQ(got.direct.size(), expected.size());
        ASSERT_EQ(got.cycles.size(), expected.size());
        EXPECT_LE(norm(difference(widened(got.direct), expected)), 2e-6 * norm(expected));
        EXPECT_LE(norm(difference(widened(got.direct), got.cycles)), 1e-5 * norm(expected));
    }
}

TEST_F(PoissonTransforms, AreTheSameInSafeModes) {
    const PoissonBox box = box_of({18, 12, 10}, PoissonBoundary::dirichlet);
    const Field rhs = random_rhs(box, 24);
    const auto fft = FftPoisson::create(device(), box.size, box.boundary.x);
    ASSERT_TRUE(fft) << fft.error();
    const std::vector<float> expected = solutions(*fft, box, rhs, false).direct;
    ASSERT_EQ(expected.size(), box.count());
    for (const CompileOptions& options :
         {CompileOptions{.alias = AliasMode::off}, CompileOptions{.order = OrderMode::declared},
          CompileOptions{.barriers = BarrierMode::full}, CompileOptions{.poison = true}})
        EXPECT_EQ(solutions(*fft, box, rhs, false, options).direct, expected);
}

} // namespace
} // namespace tuff
