#include "passes/solver/poisson_cycle.hpp"
#include "tests/gpu/solver/poisson_test.hpp"

#include <algorithm>
#include <cmath>

/// Ways to the same solution: who decides when to stop, kernels that do more at once, and which
/// colour comes first.
namespace tuff {
namespace {

using passes::finest_grid;
using passes::Poisson;
using passes::PoissonBoundaries;
using passes::PoissonBoundary;
using passes::PoissonCycles;
using passes::PoissonMethod;
using passes::PoissonStatus;
using testing_gpu::difference;
using testing_gpu::Field;
using testing_gpu::kBoundaries;
using testing_gpu::narrowed;
using testing_gpu::norm;
using testing_gpu::PoissonBox;
using testing_gpu::random_field;
using testing_gpu::random_rhs;
using testing_gpu::remove_mean;
using testing_gpu::Running;
using testing_gpu::Solved;
using testing_gpu::widened;

PoissonBox box_of(glm::uvec3 size, PoissonBoundary boundary) {
    return {.size = size,
            .spacing = glm::dvec3(1.0),
            .boundary = PoissonBoundaries::all(boundary),
            .cells = {}};
}

class PoissonEquivalence : public testing_gpu::PoissonTest {};

TEST_F(PoissonEquivalence, TheHostStopsAfterTheSameCycleWithTheSameSolution) {
    // The host looks at the residual after each cycle, and starts the next one where it ended.
    for (const auto& [size, boundary] :
         {std::pair{glm::uvec3(16, 16, 8), PoissonBoundary::dirichlet},
          std::pair{glm::uvec3(37, 22, 1), PoissonBoundary::neumann}}) {
        const PoissonBox box = box_of(size, boundary);
        const Field rhs = random_rhs(box, 17);
        constexpr float kTolerance = 1e-3f;
        const Solved on_device = solve(box, rhs, {.tolerance = kTolerance, .max_cycles = 8});
        ASSERT_EQ(on_device.report.status, PoissonStatus::converged);

        Graph g = graph();
        const BufferHistory kept = g.history_buffer("kept", {.size = box.count() * 4, .stride = 4});
        Poisson pass = on(g, box, rhs, {.tolerance = 0.0f, .max_cycles = 1});
        pass.guess = kept.previous[0];
        const Poisson solved = g.add(pass);
        (void)g.copy(solved.solution, kept.current, "keep");
        keep(g, solved);
        Running running = start(std::move(g));
        ASSERT_TRUE(running);
        Solved on_host;
        std::uint32_t cycles = 0;
        do {
            running.execute();
            on_host = fetch(running);
            ++cycles;
        } while (cycles < 20 &&
                 on_host.report.last_residual > kTolerance * on_host.report.rhs_norm);
        EXPECT_EQ(cycles, on_device.report.cycles);
        EXPECT_LE(norm(difference(on_host.u, on_device.u)), 1e-6 * norm(on_device.u));
    }
}

TEST_F(PoissonEquivalence, KernelsThatDoSeveralThingsAtOnceGiveWhatThoseForOneGive) {
    std::vector<PoissonBox> boxes;
    for (const PoissonBoundary boundary : kBoundaries)
        for (const glm::uvec3 size : {glm::uvec3(64, 40, 1), glm::uvec3(24, 20, 16)})
            boxes.push_back(box_of(size, boundary));
    Graph g = graph();
    std::vector<Field> right_sides;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const PoissonBox& box = boxes[i];
        right_sides.push_back(random_rhs(box, 17));
        const Buffer rhs = numbers(g, "rhs", narrowed(right_sides.back()));
        const Buffer start = numbers(g, "start", narrowed(random_field(box.count(), 40)));
        const auto grid = finest_grid(box.size, glm::vec3(box.spacing), box.boundary);
        for (const bool fused : {true, false}) {
            const std::string name = (fused ? "fused" : "single") + std::to_string(i);
            g.push_scope(name);
            const std::uint32_t sweeps = box.size.z == 1 ? 2 : 1;
            PoissonCycles cycles(
                g, grid, Buffer{},
                {.before = sweeps, .after = sweeps, .omega = 1.15f, .fused = fused});
            g.output(name, cycles.cycle(rhs, start, {}));
            g.pop_scope();
        }
    }
    // Or nothing is compared.
    std::size_t fused_kernels = 0;
    for (std::uint32_t n = 0; n < g.peek().nodes.size(); ++n) {
        const std::string_view name = g.peek().name_of(NodeId{n});
        const bool fused = name.find("/ascend") != name.npos || name.find("/descend") != name.npos;
        EXPECT_FALSE(fused && name.starts_with("single")) << name;
        fused_kernels += fused ? 1 : 0;
    }
    EXPECT_GE(fused_kernels, 2 * boxes.size());
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        SCOPED_TRACE(i);
        const auto after_one = [&](const char* kind) {
            return widened(running.buffer<float>(kind + std::to_string(i)));
        };
        Field fused = after_one("fused");
        Field single = after_one("single");
        // They are cycles: of a random start's residual, some six times as large, little is left.
        const Field left = difference(right_sides[i], minus_laplace(boxes[i], fused));
        EXPECT_LE(norm(left), norm(right_sides[i]));
        if (boxes[i].is_singular()) { // nothing fixes the mean
            remove_mean(fused);
            remove_mean(single);
        }
        EXPECT_LE(norm(difference(fused, single)), 1e-6 * norm(single));
    }
}

TEST_F(PoissonEquivalence, EitherColourFirstConvergesAsFast) {
    TUFF_ONLY_ON(lavapipe);
    // In a box's mirror image along an axis of an even number of cells the colours change places.
    const auto mirrored = [](const PoissonBox& box, const Field& field) {
        Field result(field.size());
        for (std::size_t i = 0; i < field.size(); ++i)
            result[i - i % box.size.x + (box.size.x - 1 - i % box.size.x)] = field[i];
        return result;
    };
    std::vector<Problem> problems;
    for (const PoissonBoundary boundary : {PoissonBoundary::neumann, PoissonBoundary::dirichlet})
        for (const auto& [size, method] :
             {std::pair{glm::uvec3(8, 7, 6), PoissonMethod::gauss_seidel},
              std::pair{glm::uvec3(22, 16, 1), PoissonMethod::gauss_seidel},
              std::pair{glm::uvec3(16, 12, 8), PoissonMethod::v_cycle},
              std::pair{glm::uvec3(36, 30, 1), PoissonMethod::v_cycle}}) {
            const PoissonBox box = box_of(size, boundary);
            const bool cycles = method == PoissonMethod::v_cycle;
            const Poisson pass{.method = method,
                               .tolerance = 0.0f,
                               .max_cycles = cycles ? 4u : 5u,
                               .batch_sweeps = 4};
            const Field rhs = random_rhs(box, 17);
            problems.push_back({box, rhs, pass});
            problems.push_back({box, mirrored(box, rhs), pass});
        }
    const std::vector<Solved> solved = solve(problems);
    for (std::size_t i = 0; i < solved.size(); i += 2) {
        SCOPED_TRACE(i);
        ASSERT_EQ(solved[i].residuals.size(), solved[i + 1].residuals.size());
        ASSERT_GE(solved[i].residuals.size(), 5u);
        EXPECT_NE(solved[i].u, mirrored(problems[i].box, solved[i + 1].u)); // it is another order
        EXPECT_NEAR(solved[i].factor(), solved[i + 1].factor(), 0.05 * solved[i].factor() + 0.005);
    }
}

} // namespace
} // namespace tuff
