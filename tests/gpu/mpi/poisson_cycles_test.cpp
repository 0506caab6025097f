// Multigrid for the Poisson equation on a field that ranks have in parts, compared with
// eigenvectors on the CPU, with solver/poisson, and with one rank to the bit.

#include "passes/mpi/gather.hpp"
#include "passes/mpi/poisson.hpp"
#include "passes/solver/poisson.hpp"
#include "ranks_fixture.hpp"
#include "tests/reference/poisson_reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <string>

namespace tuff {
namespace {

using passes::Cells;
using passes::GatherParts;
using passes::PartPoissonMethod;
using passes::PoissonBoundaries;
using passes::PoissonBoundary;
using passes::PoissonOfParts;
using passes::PoissonReport;
using passes::PoissonStatus;
using testing_gpu::difference;
using testing_gpu::Field;
using testing_gpu::floats;
using testing_gpu::narrowed;
using testing_gpu::norm;
using testing_gpu::part_size;
using testing_gpu::part_texels;
using testing_gpu::PoissonBox;
using testing_gpu::random_field;
using testing_gpu::Running;
using testing_gpu::solve_by_eigenvectors;
using testing_gpu::values_in;
using testing_gpu::widened;

using enum PoissonBoundary;

/// A problem: -laplace(u) = rhs, as that of the reference.
struct CycleProblem {
    PoissonBox box;
    Field rhs;
    PoissonOfParts pass = {};
    Field guess = {};
};

struct CycleSolution {
    std::vector<float> u; ///< of rank 0
    PoissonReport report;
    std::vector<float> residuals; ///< of the cycles that ran, with the first

    /// Mean reduction of the residual by a cycle, from the second one on.
    double factor() const {
        if (residuals.size() < 3) return 0.0;
        return std::pow(static_cast<double>(residuals.back()) / residuals[1],
                        1.0 / static_cast<double>(residuals.size() - 2));
    }
};

Cells cells_of(const PoissonBox& box) {
    return {box.size.x, box.size.y, box.size.z};
}

PoissonBox box_of(glm::uvec3 size, PoissonBoundaries boundary, glm::dvec3 spacing = glm::dvec3(1)) {
    return {.size = size, .spacing = spacing, .boundary = boundary, .cells = {}};
}

CycleProblem cycle_problem(const PoissonBox& box, std::uint32_t seed, const PoissonOfParts& pass) {
    Field rhs = random_field(box.count(), seed);
    if (box.is_singular()) testing_gpu::remove_mean(rhs);
    return {box, std::move(rhs), pass};
}

class PoissonCyclesOfRanks : public testing_gpu::RanksTest {
  protected:
    /// One of the grids of ranks: that with most ranks along more than one axis.
    static std::vector<Ranks> a_grid() {
        const std::vector<Ranks> all = grids({7, 9, 1});
        if (all.empty()) return {};
        return {all[all.size() / 2]};
    }
    /// A rank's image of a field, with NaN in its halo.
    static Image part_of(Graph& g, const std::string& name, const PoissonBox& box,
                         const Field& field, double factor, std::uint32_t halo) {
        const bool volume = box.size.z > 1;
        const Cells width{halo, halo, volume ? halo : 0};
        return g.constant_image(
            name, floats(part_size(g.ranks(), cells_of(box), width), volume),
            part_texels(g.ranks(), cells_of(box), width, NAN, [&](const Cells& cell) {
                const std::size_t i =
                    (std::size_t{cell[2]} * box.size.y + cell[1]) * box.size.x + cell[0];
                return static_cast<float>(factor * field[i]);
            }));
    }

    std::vector<CycleSolution> solve(const std::vector<CycleProblem>& problems,
                                     const Ranks& ranks) {
        Graph g = graph_of(ranks);
        for (std::size_t i = 0; i < problems.size(); ++i) {
            const CycleProblem& p = problems[i];
            const std::string name = "p" + std::to_string(i);
            PoissonOfParts pass = p.pass;
            const auto halo = static_cast<std::uint32_t>(pass.halo);
            pass.source = part_of(g, name + ".source", p.box, p.rhs, -1.0, halo);
            if (!p.guess.empty())
                pass.guess = part_of(g, name + ".guess", p.box, p.guess, 1.0, halo);
            pass.cells = glm::ivec3(p.box.size);
            pass.spacing = glm::vec3(p.box.spacing);
            pass.x = p.box.boundary.x;
            pass.y = p.box.boundary.y;
            pass.z = p.box.boundary.z;
            pass = g.add(pass, name);
            g.output(
                name + ".u",
                g.add(GatherParts{.source = pass.result, .cells = pass.cells, .halo = pass.halo},
                      name + "_whole")
                    .result);
            EXPECT_EQ(bool(pass.status), pass.tolerance > 0.0f);
            if (!pass.status) continue;
            g.output(name + ".status", pass.status);
            g.output(name + ".residuals", pass.residuals);
        }
        Running running = run(std::move(g));
        std::vector<CycleSolution> solutions(problems.size());
        for (std::size_t i = 0; running && i < problems.size(); ++i) {
            const std::string name = "p" + std::to_string(i);
            solutions[i].u = values_in(running, name + ".u");
            if (problems[i].pass.tolerance == 0.0f) continue;
            const auto words = running.buffer<std::uint32_t>(name + ".status");
            if (words.size() >= passes::kPoissonStatusWords)
                solutions[i].report = PoissonReport::read(words);
            for (const float residual : running.buffer<float>(name + ".residuals"))
                if (!(residual < 0.0f)) solutions[i].residuals.push_back(residual);
        }
        return solutions;
    }
};

/// A number of a sum over all cells meets so many additions: of those that an invocation of 256
/// walks over, of the tree of a group, of the groups' sums in the same way, and of the ranks'. Two
/// more roundings make what is added, and one the result.
double rounding_of_sums(const PoissonBox& box) {
    const double additions = static_cast<double>(box.count()) / 256.0 + 1.0 + 8.0 + 1.0 + 8.0 +
                             testing_gpu::RanksTest::job_size();
    return (additions + 3.0) * 0x1p-24;
}

/// That a solution leaves a residual of `counted` and what rounding adds to that, which bounds its
/// error by the least eigenvalue.
void expect_solution(const PoissonBox& box, const Field& rhs, const std::vector<float>& solution,
                     double counted, std::uint32_t cycles) {
    const Field u = widened(solution);
    const Field expected = solve_by_eigenvectors(box, rhs);
    ASSERT_EQ(u.size(), expected.size());
    const double allowed = counted + testing_gpu::residual_rounding(box, u, cycles);
    EXPECT_LE(norm(difference(rhs, testing_gpu::minus_laplace(box, u))), allowed);
    EXPECT_LE(norm(difference(u, expected)), allowed / testing_gpu::least_eigenvalue(box));
}

std::string name_of(const CycleProblem& problem, const Ranks& ranks) {
    const glm::uvec3 n = problem.box.size;
    return (testing::Message() << n.x << "x" << n.y << "x" << n.z << " over " << ranks.grid[0]
                               << "x" << ranks.grid[1] << "x" << ranks.grid[2] << ", method "
                               << static_cast<int>(problem.pass.method) << ", gathered at "
                               << problem.pass.gather_cells)
        .GetString();
}

/// Fields that every number of ranks up to six can have; some with parts of one cell.
std::vector<PoissonBox> boxes() {
    const auto all = [](PoissonBoundary boundary) { return PoissonBoundaries::all(boundary); };
    return {
        box_of({45, 37, 1}, all(neumann)),
        box_of({16, 24, 12}, all(neumann)),
        box_of({64, 48, 1}, all(dirichlet)),
        box_of({17, 13, 11}, all(dirichlet)),
        box_of({45, 36, 1}, all(periodic)),
        box_of({16, 12, 11}, all(periodic)),
        box_of({7, 90, 1}, {periodic, dirichlet, neumann}, glm::dvec3(0.5)),
        // Cells that are not cubes.
        box_of({60, 40, 1}, {neumann, dirichlet, neumann}, {0.1, 0.7, 1.0}),
        box_of({12, 20, 9}, {periodic, neumann, dirichlet}, {1.0, 3.0, 0.5}),
    };
}

TEST_F(PoissonCyclesOfRanks, FindTheEigenvectorSolutions) {
    TUFF_ONLY_ON(lavapipe);
    std::vector<CycleProblem> problems;
    std::uint32_t seed = 0;
    for (const PoissonBox& box : boxes())
        for (const auto method : {PartPoissonMethod::v_cycle, PartPoissonMethod::mgpcg}) {
            ++seed;
            if (job_size() > 1 && seed % 4 > 1) continue; // messages take their time
            problems.push_back(cycle_problem(box, seed,
                                             {.halo = 1 + static_cast<std::int32_t>(seed % 3),
                                              .method = method,
                                              .tolerance = 1e-4f,
                                              .max_cycles = 8,
                                              .gather_cells = 60}));
        }
    if (job_size() == 1) // not enough cells for others
        for (const glm::uvec3 size :
             {glm::uvec3(3, 2, 1), glm::uvec3(1, 5, 4), glm::uvec3(2, 2, 2)})
            for (const PoissonBoundary boundary : {neumann, dirichlet, periodic})
                problems.push_back(cycle_problem(box_of(size, PoissonBoundaries::all(boundary)),
                                                 ++seed, {.gather_cells = 1}));
    for (const Ranks& ranks : a_grid()) {
        const std::vector<CycleSolution> solutions = solve(problems, ranks);
        for (std::size_t i = 0; i < problems.size(); ++i) {
            const CycleProblem& p = problems[i];
            SCOPED_TRACE(name_of(p, ranks));
            const CycleSolution& s = solutions[i];
            EXPECT_EQ(s.report.status, PoissonStatus::converged);
            EXPECT_EQ(s.report.unknown_cells, p.box.count());
            EXPECT_EQ(s.residuals.size(), s.report.cycles + 1);
            const glm::dvec3 h = p.box.spacing;
            const bool cubes = h.x == h.y && (h.x == h.z || p.box.size.z == 1);
            EXPECT_LE(s.factor(), cubes ? 0.2 : 0.4); // axes with longer cells wait
            EXPECT_NEAR(static_cast<double>(s.report.rhs_norm), norm(p.rhs),
                        rounding_of_sums(p.box) * norm(p.rhs));
            if (ranks.rank != 0) continue;
            expect_solution(p.box, p.rhs, s.u, static_cast<double>(p.pass.tolerance) * norm(p.rhs),
                            s.report.cycles);
        }
    }
}

TEST_F(PoissonCyclesOfRanks, HaveTheSameBitsForAnyNumberOfThem) {
    std::vector<CycleProblem> problems;
    std::uint32_t seed = 100;
    for (const PoissonBox& box : boxes()) {
        if (box.is_singular()) continue; // the mean is a sum over ranks
        for (const std::uint32_t gathered : {1u, 100u})
            problems.push_back(cycle_problem(
                box, ++seed, {.tolerance = 0.0f, .max_cycles = 1, .gather_cells = gathered}));
        // Its sweeps begin with what is in the halo.
        problems.back().guess = random_field(box.count(), ++seed);
    }
    const std::vector<CycleSolution> alone = solve(problems, Ranks{});
    for (const Ranks& ranks : grids({7, 9, 1})) {
        const std::vector<CycleSolution> several = solve(problems, ranks);
        for (std::size_t i = 0; i < problems.size() && ranks.rank == 0; ++i)
            EXPECT_EQ(several[i].u, alone[i].u) << name_of(problems[i], ranks);
    }
}

TEST_F(PoissonCyclesOfRanks, EndAtTheSameCycleOnAllOfThem) {
    std::vector<CycleProblem> problems;
    const auto add = [&](const PoissonBox& box, const PoissonOfParts& pass) {
        problems.push_back(cycle_problem(box, 7, pass));
    };
    const PoissonBox box = box_of({33, 24, 1}, {dirichlet, periodic, neumann});
    for (const auto method : {PartPoissonMethod::v_cycle, PartPoissonMethod::mgpcg}) {
        add(box, {.method = method, .tolerance = 1e-3f, .max_cycles = 8, .gather_cells = 50});
        add(box, {.method = method, .tolerance = 1e-6f, .max_cycles = 2, .gather_cells = 50});
        if (method == PartPoissonMethod::mgpcg) break; // the rest is the same
        add(box, {.method = method, .tolerance = 1e-9f, .max_cycles = 14, .gather_cells = 50});
        // Nothing to do: the guess is the solution.
        add(box, {.method = method, .tolerance = 1e-3f, .max_cycles = 8, .gather_cells = 50});
        problems.back().guess = solve_by_eigenvectors(box, problems.back().rhs);
        // A right-hand side that has a mean.
        add(box_of({20, 19, 1}, PoissonBoundaries::all(neumann)),
            {.method = method, .max_cycles = 8});
        for (double& value : problems.back().rhs)
            value += 0.5;
        add(box, {.method = method, .max_cycles = 2});
        problems.back().rhs[problems.back().rhs.size() / 2] = std::nan("");
    }
    const std::vector<CycleSolution> alone = solve(problems, Ranks{});
    for (const Ranks& ranks : a_grid()) {
        const std::vector<CycleSolution> solutions = solve(problems, ranks);
        for (std::size_t i = 0; i < problems.size(); ++i) {
            SCOPED_TRACE(testing::Message() << i << ": " << name_of(problems[i], ranks));
            const PoissonReport& r = solutions[i].report;
            EXPECT_EQ(r.status, alone[i].report.status);
            // Rounding decides when it is that nothing falls any more.
            if (r.status != PoissonStatus::stagnated) {
                EXPECT_EQ(r.cycles, alone[i].report.cycles);
            }
            switch (i % 6) {
            case 0:
                EXPECT_EQ(r.status, PoissonStatus::converged);
                EXPECT_LE(r.last_residual, 1e-3f * r.rhs_norm);
                EXPECT_GT(r.cycles, 1u);
                break;
            case 1:
                EXPECT_EQ(r.status, PoissonStatus::not_converged);
                EXPECT_EQ(r.cycles, 2u);
                break;
            case 2: EXPECT_EQ(r.status, PoissonStatus::stagnated); break;
            case 3:
                EXPECT_EQ(r.status, PoissonStatus::converged);
                EXPECT_EQ(r.cycles, 0u);
                break;
            case 4:
                EXPECT_EQ(r.status, PoissonStatus::incompatible_rhs);
                EXPECT_NEAR(static_cast<double>(r.rhs_mean), 0.5,
                            rounding_of_sums(problems[i].box) *
                                testing_gpu::greatest(problems[i].rhs));
                break;
            case 5:
                EXPECT_EQ(r.status, PoissonStatus::bad_input);
                EXPECT_EQ(r.not_finite, 1u);
                break;
            }
            if (ranks.rank != 0) continue;
            ASSERT_EQ(solutions[i].u.size(), problems[i].rhs.size());
            if (i % 6 == 5) {
                EXPECT_EQ(norm(widened(solutions[i].u)), 0.0);
                continue;
            }
            Field rhs = problems[i].rhs;
            if (i % 6 == 4) testing_gpu::remove_mean(rhs);
            expect_solution(problems[i].box, rhs, solutions[i].u,
                            static_cast<double>(r.last_residual), r.cycles);
        }
    }
}

TEST_F(PoissonCyclesOfRanks, KeepTheMeanAtZeroWithoutATolerance) {
    const PoissonBox box = box_of({26, 31, 1}, PoissonBoundaries::all(periodic));
    CycleProblem problem =
        cycle_problem(box, 3, {.tolerance = 0.0f, .max_cycles = 6, .gather_cells = 50});
    const Field rhs = problem.rhs;
    for (double& value : problem.rhs)
        value += 0.25;
    for (const Ranks& ranks : a_grid()) {
        const std::vector<CycleSolution> solutions = solve({problem}, ranks);
        if (ranks.rank != 0) continue;
        // Six cycles by 0.2 each.
        expect_solution(box, rhs, solutions[0].u, std::pow(0.2, 6.0) * norm(rhs), 6);
        // The mean comes off last: a sum of so many numbers, and a rounded difference.
        const Field u = widened(solutions[0].u);
        const auto count = static_cast<double>(u.size());
        EXPECT_LE(std::abs(std::accumulate(u.begin(), u.end(), 0.0)) / count,
                  (std::log2(count) + 2.0) * 0x1p-24 * testing_gpu::greatest(u));
    }
}

/// sin at the centres of cells between faces where it is 0: an eigenvector of the operator.
TEST_F(PoissonCyclesOfRanks, FindAnEigenvector) {
    const PoissonBox box =
        box_of({29, 18, 10}, PoissonBoundaries::all(dirichlet), {0.5, 0.25, 0.75});
    const glm::dvec3 waves(2.0, 1.0, 3.0);
    Field mode;
    double eigenvalue = 0.0;
    for (int a = 0; a < 3; ++a)
        eigenvalue += std::pow(
            2.0 * std::sin(0.5 * std::numbers::pi * waves[a] / box.size[a]) / box.spacing[a], 2.0);
    for (std::uint32_t z = 0; z < box.size.z; ++z)
        for (std::uint32_t y = 0; y < box.size.y; ++y)
            for (std::uint32_t x = 0; x < box.size.x; ++x) {
                const glm::dvec3 at = (glm::dvec3(x, y, z) + 0.5) / glm::dvec3(box.size);
                const glm::dvec3 sines = glm::sin(std::numbers::pi * waves * at);
                mode.push_back(sines.x * sines.y * sines.z);
            }
    CycleProblem problem{box, mode, {.tolerance = 1e-5f, .gather_cells = 50}};
    for (double& value : problem.rhs)
        value *= eigenvalue;
    for (const Ranks& ranks : a_grid()) {
        const std::vector<CycleSolution> solutions = solve({problem}, ranks);
        EXPECT_EQ(solutions[0].report.status, PoissonStatus::converged);
        if (ranks.rank != 0) continue;
        expect_solution(box, problem.rhs, solutions[0].u,
                        static_cast<double>(problem.pass.tolerance) * norm(problem.rhs),
                        solutions[0].report.cycles);
        const double allowed =
            static_cast<double>(problem.pass.tolerance) * norm(problem.rhs) +
            testing_gpu::residual_rounding(box, mode, solutions[0].report.cycles);
        EXPECT_LE(norm(difference(widened(solutions[0].u), mode)),
                  allowed / testing_gpu::least_eigenvalue(box));
    }
}

TEST_F(PoissonCyclesOfRanks, AgreeWithTheSolverOfOneDevice) {
    const PoissonBox box = box_of({40, 26, 1}, {periodic, dirichlet, neumann});
    const CycleProblem problem = cycle_problem(box, 5, {.tolerance = 1e-5f, .gather_cells = 100});
    Graph g = graph();
    const passes::Poisson other =
        g.add(passes::Poisson{.rhs_image = part_of(g, "rhs", box, problem.rhs, 1.0, 0),
                              .size = box.size,
                              .boundary = box.boundary,
                              .tolerance = 1e-5f});
    g.output("u", other.image);
    Running running = run(std::move(g));
    const Field expected = widened(values_in(running, "u"));
    for (const Ranks& ranks : a_grid()) {
        const std::vector<CycleSolution> solutions = solve({problem}, ranks);
        if (ranks.rank != 0) continue;
        ASSERT_EQ(solutions[0].u.size(), expected.size());
        // Each has a residual of the tolerance, and rounds: so does the difference, twice.
        const double allowed =
            2.0 * (static_cast<double>(problem.pass.tolerance) * norm(problem.rhs) +
                   testing_gpu::residual_rounding(box, expected, solutions[0].report.cycles));
        const Field apart = difference(widened(solutions[0].u), expected);
        EXPECT_LE(norm(testing_gpu::minus_laplace(box, apart)), allowed);
        EXPECT_LE(norm(apart), allowed / testing_gpu::least_eigenvalue(box));
    }
}

} // namespace
} // namespace tuff
