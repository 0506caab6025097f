// Solid and fixed cells in a field that ranks have in parts: compared with conjugate gradients on
// the CPU, and with solver/poisson.

#include "jacobi_rounding.hpp"
#include "passes/solver/poisson.hpp"
#include "poisson_kinds_fixture.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

namespace tuff {
namespace {

using passes::Cells;
using passes::PartPoissonMethod;
using passes::PoissonOfParts;
using passes::PoissonReport;
using passes::PoissonStatus;
using testing_gpu::difference;
using testing_gpu::Field;
using testing_gpu::finite;
using testing_gpu::kFixedKind;
using testing_gpu::KindsProblem;
using testing_gpu::KindsSolution;
using testing_gpu::kSolidKind;
using testing_gpu::least_eigenvalue;
using testing_gpu::norm;
using testing_gpu::PoissonBox;
using testing_gpu::residual_rounding;
using testing_gpu::Running;
using testing_gpu::values_in;
using testing_gpu::whole_of;
using testing_gpu::widened;

/// The residual that a solution may have whose solver counts one of the tolerance.
double tolerated(const KindsProblem& p, double reference, const Field& u, std::uint32_t cycles) {
    const Field greater = norm(u) > norm(finite(p.guess)) ? u : finite(p.guess);
    return static_cast<double>(p.pass.tolerance) * reference +
           residual_rounding(p.box, greater, cycles);
}

class SolidCellsOfRanks : public testing_gpu::PoissonKindsTest {};

TEST_F(SolidCellsOfRanks, FindTheSolutionsOfConjugateGradientsOnTheCpu) {
    TUFF_ONLY_ON(lavapipe);
    for (const Ranks& ranks : a_grid()) {
        std::vector<KindsProblem> problems;
        std::uint32_t seed = 0;
        for (const PoissonBox& box : boxes(ranks)) {
            ++seed;
            problems.push_back(solid_problem(box, seed,
                                             {.halo = 1 + static_cast<std::int32_t>(seed % 3),
                                              .method = PartPoissonMethod::mgpcg,
                                              .tolerance = 1e-5f,
                                              .max_cycles = 16,
                                              .gather_cells = seed % 2 == 0 ? 60u : 1u}));
        }
        const std::vector<KindsSolution> solutions = solve(problems, ranks);
        for (std::size_t i = 0; i < problems.size(); ++i) {
            const KindsProblem& p = problems[i];
            SCOPED_TRACE(name_of(p, ranks));
            const PoissonReport& report = solutions[i].report;
            const auto unknown = static_cast<std::uint32_t>(std::ranges::count(p.box.cells, 0u));
            EXPECT_EQ(report.unknown_cells, unknown);
            EXPECT_EQ(report.not_finite, 0u);
            EXPECT_EQ(report.status, PoissonStatus::converged);
            if (ranks.rank != 0) continue;
            const Field u = widened(solutions[i].u);
            ASSERT_EQ(u.size(), p.box.count());
            for (std::size_t c = 0; c < u.size(); ++c) {
                if (p.box.cells[c] == kSolidKind) {
                    ASSERT_EQ(u[c], 0.0) << c;
                }
                if (p.box.cells[c] == kFixedKind) {
                    ASSERT_EQ(u[c], static_cast<double>(static_cast<float>(p.guess[c]))) << c;
                }
            }
            // The residual of conjugate residuals is updated, not computed: rounding parts the two,
            // of which the greatest numbers are those that the guess begins with.
            const double reference =
                std::max(static_cast<double>(report.first_residual), norm(finite(p.rhs)));
            const double allowed = tolerated(p, reference, u, report.cycles);
            EXPECT_LE(norm(residual_of(p, u)), allowed);
            const Field expected = solve_by_gradients(p.box, finite(p.rhs), finite(p.guess));
            EXPECT_LE(norm(difference(u, expected)), allowed / least_eigenvalue(p.box));
        }
    }
}

TEST_F(SolidCellsOfRanks, AgreeWithTheSolverOfOneDevice) {
    constexpr std::uint32_t kCoarsest = 1024; // cells that solver/poisson solves by sweeps
    for (const Ranks& ranks : a_grid()) {
        std::vector<KindsProblem> problems;
        for (const PoissonBox& box : boxes(ranks)) {
            if (box.count() <= kCoarsest) continue; // the solver has only one grid of it
            problems.push_back(solid_problem(box, 40 + static_cast<std::uint32_t>(problems.size()),
                                             {.method = PartPoissonMethod::mgpcg,
                                              .tolerance = 1e-6f,
                                              .gather_cells = kCoarsest}));
        }
        Graph g = graph();
        for (std::size_t i = 0; i < problems.size(); ++i) {
            const KindsProblem& p = problems[i];
            const std::string name = "p" + std::to_string(i);
            const passes::Poisson other = g.add(
                passes::Poisson{.rhs_image = part_of(g, name + ".rhs", p.box, p.rhs, 1.0, {}),
                                .guess_image = part_of(g, name + ".guess", p.box, p.guess, 1.0, {}),
                                .cells_image = kinds_of(g, name + ".kinds", p.box, {}),
                                .size = p.box.size,
                                .spacing = glm::vec3(p.box.spacing),
                                .boundary = p.box.boundary,
                                .tolerance = 1e-6f},
                name);
            g.output(name + ".u", other.image);
            g.output(name + ".status", other.status);
        }
        Running running = run(std::move(g));
        const std::vector<KindsSolution> solutions = solve(problems, ranks);
        for (std::size_t i = 0; running && i < problems.size(); ++i) {
            SCOPED_TRACE(name_of(problems[i], ranks));
            const std::string name = "p" + std::to_string(i);
            const PoissonReport expected =
                PoissonReport::read(running.buffer<std::uint32_t>(name + ".status"));
            const PoissonReport& report = solutions[i].report;
            EXPECT_EQ(report.status, expected.status);
            EXPECT_EQ(report.unknown_cells, expected.unknown_cells);
            // The same preconditioner on the same grids: only rounding differs.
            EXPECT_LE(std::max(report.cycles, expected.cycles),
                      std::min(report.cycles, expected.cycles) + 1);
            if (ranks.rank != 0) continue;
            const Field u = widened(values_in(running, name + ".u"));
            ASSERT_EQ(solutions[i].u.size(), u.size());
            // Two solutions, each with such a residual.
            const double reference = std::max(static_cast<double>(expected.first_residual),
                                              norm(finite(problems[i].rhs)));
            const double allowed = 2.0 * tolerated(problems[i], reference, u, expected.cycles);
            EXPECT_LE(norm(difference(widened(solutions[i].u), u)),
                      allowed / least_eigenvalue(problems[i].box));
        }
    }
}

TEST_F(SolidCellsOfRanks, AreRelaxedTowardsTheSolution) {
    for (const Ranks& ranks : a_grid()) {
        std::vector<KindsProblem> problems;
        for (PoissonBox box : boxes(ranks)) {
            box.spacing = glm::dvec3(1.0);
            problems.push_back(solid_problem(
                box, 160 + static_cast<std::uint32_t>(problems.size()),
                {.method = PartPoissonMethod::jacobi, .iterations = job_size() > 1 ? 10u : 60u}));
        }
        const std::vector<KindsSolution> solutions = solve(problems, ranks);
        for (std::size_t i = 0; i < problems.size() && ranks.rank == 0; ++i) {
            const KindsProblem& p = problems[i];
            SCOPED_TRACE(name_of(p, ranks));
            // The same iterations in double precision: less residual times omega over the diagonal
            // of a cell in the open.
            Field u = finite(p.guess);
            const double axes = p.box.size.z > 1 ? 3.0 : 2.0;
            testing_gpu::JacobiRounding rounding{.axes = axes,
                                                 .omega = static_cast<double>(p.pass.omega),
                                                 .solution = testing_gpu::greatest(u),
                                                 .source = testing_gpu::greatest(finite(p.rhs))};
            for (std::uint32_t k = 0; k < p.pass.iterations; ++k) {
                const Field residual = residual_of(p, u);
                for (std::size_t c = 0; c < u.size(); ++c)
                    u[c] += static_cast<double>(p.pass.omega) * residual[c] / (2.0 * axes);
                rounding.solution = std::max(rounding.solution, testing_gpu::greatest(u));
            }
            const Field found = widened(solutions[i].u);
            ASSERT_EQ(found.size(), u.size());
            EXPECT_LE(testing_gpu::greatest(difference(found, u)),
                      rounding.after(p.pass.iterations));
            EXPECT_NEAR(static_cast<double>(solutions[i].residual),
                        testing_gpu::greatest(residual_of(p, found)), rounding.of_residual());
        }
    }
}

TEST_F(SolidCellsOfRanks, LeaveNothingToSolve) {
    for (const Ranks& ranks : a_grid()) {
        PoissonBox box{
            .size = {21, 18, 1}, .spacing = glm::dvec3(1.0), .boundary = {}, .cells = {}};
        box.cells.assign(box.count(), kSolidKind);
        const PoissonOfParts pass{.method = PartPoissonMethod::mgpcg, .gather_cells = 1};
        KindsProblem full{box, Field(box.count(), 3.0), Field(box.count(), 4.0), pass};
        KindsProblem one = full; // nothing is coupled to the last cell, and its mean is to be 0
        one.box.cells.back() = 0;
        one.rhs.back() = 0.0;
        const std::vector<KindsSolution> solutions = solve({full, one}, ranks);
        for (std::uint32_t i = 0; i < 2; ++i) {
            EXPECT_EQ(solutions[i].report.status, PoissonStatus::converged);
            EXPECT_EQ(solutions[i].report.unknown_cells, i);
            if (ranks.rank == 0) {
                EXPECT_EQ(solutions[i].u, std::vector<float>(box.count(), 0.0f));
            }
        }
    }
}

TEST_F(SolidCellsOfRanks, AreRefusedWithOneDiagnostic) {
    PoissonBox box{.size = {9, 8, 1}, .spacing = glm::dvec3(1.0), .boundary = {}, .cells = {}};
    box.cells.assign(box.count(), kFixedKind);
    const auto code_of = [&](PartPoissonMethod method, Cells halo, bool of_floats) {
        Graph g = graph();
        const Cells image_halo = halo_of(box, 1);
        PoissonOfParts pass{.cells = glm::ivec3(box.size), .method = method};
        pass.source = part_of(g, "source", box, Field(box.count()), 1.0, image_halo);
        pass.kinds = of_floats ? pass.source : kinds_of(g, "kinds", box, halo);
        g.output("u", g.add(pass).result);
        const auto plan = compile(std::move(g).finish(), device().caps());
        EXPECT_FALSE(plan);
        if (plan) return std::string();
        EXPECT_EQ(plan.error().size(), 1u);
        return plan.error().front().code;
    };
    using enum PartPoissonMethod;
    EXPECT_EQ(code_of(v_cycle, {1, 1, 0}, false), "solver/cells-method");
    EXPECT_EQ(code_of(mgpcg, {2, 1, 0}, false), "mpi/part-size");
    EXPECT_EQ(code_of(jacobi, {1, 1, 0}, true), "image/unsupported-format");
}
} // namespace
} // namespace tuff
