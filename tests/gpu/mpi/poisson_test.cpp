// The Poisson equation on a field that ranks have in parts, compared with the same iterations on
// the CPU, and with one rank to the bit.

#include "jacobi_rounding.hpp"
#include "passes/mpi/gather.hpp"
#include "passes/mpi/poisson.hpp"
#include "ranks_fixture.hpp"
#include "tests/reference/poisson_reference.hpp"

#include <algorithm>
#include <cmath>

namespace tuff {
namespace {

using passes::Cells;
using passes::GatherParts;
using passes::PartPoissonMethod;
using passes::PoissonBoundary;
using passes::PoissonOfParts;
using testing_gpu::floats;
using testing_gpu::part_size;
using testing_gpu::part_texels;
using testing_gpu::Running;
using testing_gpu::texels_of;
using testing_gpu::values_in;

using Boundaries = std::array<PoissonBoundary, 3>;

struct Problem {
    Cells cells;
    bool volume;
    Boundaries boundaries;
    std::int32_t halo = 1;
};

struct Solution {
    std::vector<float> cells;
    float residual = 0.0f;
};

constexpr std::uint32_t kIterations = 30;
constexpr float kOmega = 0.7f;
constexpr float kCell = 0.5f;

/// A right-hand side whose parts differ.
float source_at(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    const auto value = [](std::uint32_t i, float rate) {
        return std::sin(rate * static_cast<float>(i) + 0.4f);
    };
    return value(x, 0.8f) * value(y, 1.1f) + 0.5f * value(z, 1.9f);
}

/// The same iterations in double precision on the whole field.
class Reference {
  public:
    explicit Reference(const Problem& problem) : problem_(problem) {
        const Cells& n = problem.cells;
        solution_.assign(std::size_t{n[0]} * n[1] * n[2], 0.0);
        for (std::uint32_t i = 0; i < kIterations; ++i) {
            std::vector<double> next = solution_;
            for_cells([&](const Cells& at, std::size_t index) {
                const double area = double{kCell} * kCell;
                const double f = source_at(at[0], at[1], at[2]);
                const double relaxed = (around(at) - area * f) / (2.0 * axes());
                next[index] += double{kOmega} * (relaxed - solution_[index]);
            });
            solution_ = next;
            for (const double value : solution_)
                greatest_ = std::max(greatest_, std::abs(value));
        }
    }
    /// With such a solution.
    Reference(const Problem& problem, std::vector<double> solution)
        : problem_(problem), solution_(std::move(solution)) {}

    testing_gpu::JacobiRounding rounding() const {
        double source = 0.0;
        for_cells([&](const Cells& at, std::size_t) {
            source = std::max(source, std::abs(double{source_at(at[0], at[1], at[2])}));
        });
        return {.axes = static_cast<double>(axes()),
                .coupling = 1.0 / (double{kCell} * kCell),
                .omega = double{kOmega},
                .solution = greatest_,
                .source = source};
    }
    const std::vector<double>& solution() const { return solution_; }
    double residual() const {
        double greatest = 0.0;
        for_cells([&](const Cells& at, std::size_t index) {
            const double laplace =
                (around(at) - 2.0 * axes() * solution_[index]) / (double{kCell} * kCell);
            greatest = std::max(greatest, std::abs(laplace - source_at(at[0], at[1], at[2])));
        });
        return greatest;
    }

  private:
    int axes() const { return problem_.volume ? 3 : 2; }
    template <typename Visit>
    void for_cells(Visit visit) const {
        std::size_t index = 0;
        for (std::uint32_t z = 0; z < problem_.cells[2]; ++z)
            for (std::uint32_t y = 0; y < problem_.cells[1]; ++y)
                for (std::uint32_t x = 0; x < problem_.cells[0]; ++x)
                    visit(Cells{x, y, z}, index++);
    }
    double at(const Cells& c) const {
        const Cells& n = problem_.cells;
        return solution_[(std::size_t{c[2]} * n[1] + c[1]) * n[0] + c[0]];
    }
    double around(const Cells& cell) const {
        double sum = 0.0;
        for (int axis = 0; axis < axes(); ++axis)
            for (const bool up : {false, true}) {
                const auto a = static_cast<std::size_t>(axis);
                const std::uint32_t count = problem_.cells[a];
                Cells other = cell;
                const bool leaves = up ? cell[a] + 1 == count : cell[a] == 0;
                if (leaves && problem_.boundaries[a] == PoissonBoundary::dirichlet) {
                    sum -= at(cell);
                    continue;
                }
                if (!leaves)
                    other[a] = up ? cell[a] + 1 : cell[a] - 1;
                else if (problem_.boundaries[a] == PoissonBoundary::periodic)
                    other[a] = up ? 0 : count - 1;
                sum += at(other);
            }
        return sum;
    }

    const Problem& problem_;
    std::vector<double> solution_;
    double greatest_ = 0.0; ///< of all iterations
};

class PoissonOfRanks : public testing_gpu::RanksTest {
  protected:
    Solution solve(const Problem& problem, const Ranks& ranks) {
        Graph g = graph_of(ranks);
        const auto width = static_cast<std::uint32_t>(problem.halo);
        const Cells halo{width, width, problem.volume ? width : 0};
        // The halo of the source is never read.
        const Image source = g.constant_image(
            "source", floats(part_size(ranks, problem.cells, halo), problem.volume),
            part_texels(ranks, problem.cells, halo, NAN,
                        [&](const Cells& cell) { return source_at(cell[0], cell[1], cell[2]); }));
        const glm::ivec3 cells(problem.cells[0], problem.cells[1], problem.cells[2]);
        const PoissonOfParts pass = g.add(PoissonOfParts{.source = source,
                                                         .cells = cells,
                                                         .halo = problem.halo,
                                                         .method = PartPoissonMethod::jacobi,
                                                         .iterations = kIterations,
                                                         .omega = kOmega,
                                                         .spacing = glm::vec3(kCell),
                                                         .x = problem.boundaries[0],
                                                         .y = problem.boundaries[1],
                                                         .z = problem.boundaries[2]});
        g.output(
            "solution",
            g.add(GatherParts{.source = pass.result, .cells = cells, .halo = problem.halo}).result);
        g.output("residual", pass.residual);
        Running running = run(std::move(g));
        const std::vector<float> residual = running.buffer<float>("residual");
        return {values_in(running, "solution"), residual.empty() ? NAN : residual[0]};
    }
};

constexpr auto kNeumann = PoissonBoundary::neumann;
constexpr auto kDirichlet = PoissonBoundary::dirichlet;
constexpr auto kPeriodic = PoissonBoundary::periodic;

const Problem kProblems[] = {
    {{19, 11, 1}, false, {kDirichlet, kDirichlet, kNeumann}},
    {{12, 13, 1}, false, {kPeriodic, kDirichlet, kNeumann}, 2},
    {{4, 17, 1}, false, {kNeumann, kPeriodic, kNeumann}},
    {{7, 6, 5}, true, {kDirichlet, kPeriodic, kNeumann}},
    {{5, 4, 9}, true, {kNeumann, kDirichlet, kDirichlet}, 3},
};

TEST_F(PoissonOfRanks, IteratesAsOnTheCpu) {
    for (const Problem& problem : kProblems) {
        const Solution solution = solve(problem, Ranks{});
        const Reference reference(problem);
        ASSERT_EQ(solution.cells.size(), reference.solution().size());
        const testing_gpu::JacobiRounding rounding = reference.rounding();
        double apart = 0.0;
        for (std::size_t i = 0; i < solution.cells.size(); ++i)
            apart = std::max(
                apart, std::abs(static_cast<double>(solution.cells[i]) - reference.solution()[i]));
        EXPECT_LE(apart, rounding.after(kIterations));
        // Of the solution that the kernels have.
        const Reference found(problem, testing_gpu::widened(solution.cells));
        EXPECT_NEAR(static_cast<double>(solution.residual), found.residual(),
                    rounding.of_residual());
        EXPECT_LT(rounding.of_residual(), 0.01 * reference.residual());
        EXPECT_GT(reference.residual(), 1e-3) << "the test tests nothing";
    }
}

TEST_F(PoissonOfRanks, HasTheSameBitsForAnyNumberOfThem) {
    for (const Problem& problem : kProblems) {
        const Solution one = solve(problem, Ranks{});
        for (const Ranks& ranks : grids(problem.cells)) {
            const Solution several = solve(problem, ranks);
            EXPECT_EQ(several.residual, one.residual); // on every rank
            if (ranks.rank != 0) continue;
            EXPECT_EQ(several.cells, one.cells)
                << ranks.grid[0] << "x" << ranks.grid[1] << "x" << ranks.grid[2];
        }
    }
}

TEST_F(PoissonOfRanks, GoesOnFromAGuess) {
    const Problem& problem = kProblems[0];
    Graph g = graph();
    const Cells size{problem.cells[0] + 2, problem.cells[1] + 2, 1};
    const Image source =
        g.constant_image("source", floats(size, false),
                         texels_of(size, [](std::uint32_t x, std::uint32_t y, std::uint32_t) {
                             return x > 0 && y > 0 ? source_at(x - 1, y - 1, 0) : 0.0f;
                         }));
    PoissonOfParts pass{.source = source,
                        .cells = {19, 11, 1},
                        .method = PartPoissonMethod::jacobi,
                        .iterations = kIterations / 2,
                        .omega = kOmega,
                        .spacing = glm::vec3(kCell),
                        .x = kDirichlet,
                        .y = kDirichlet};
    pass.guess = g.add(PoissonOfParts(pass), "first").result;
    const Image twice = g.add(PoissonOfParts(pass), "second").result;
    g.output("solution",
             g.add(GatherParts{.source = twice, .cells = pass.cells, .halo = 1}).result);
    Running running = run(std::move(g));
    EXPECT_EQ(values_in(running, "solution"), solve(problem, Ranks{}).cells);
}

} // namespace
} // namespace tuff
