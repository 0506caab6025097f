#include "tests/gpu/solver/poisson_test.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

/// Solutions and convergence of solver/poisson.
namespace tuff {
namespace {

using passes::Poisson;
using passes::PoissonBoundaries;
using passes::PoissonBoundary;
using passes::PoissonMethod;
using passes::PoissonStatus;
using testing_gpu::difference;
using testing_gpu::Field;
using testing_gpu::greatest;
using testing_gpu::kBoundaries;
using testing_gpu::norm;
using testing_gpu::PoissonBox;
using testing_gpu::random_rhs;
using testing_gpu::Solved;

/// Product over the axes of cos(k pi x) or sin(k pi x) at the centres of the unit box's cells.
Field waves(const PoissonBox& box) {
    Field u;
    for (std::uint32_t z = 0; z < box.size.z; ++z)
        for (std::uint32_t y = 0; y < box.size.y; ++y)
            for (std::uint32_t x = 0; x < box.size.x; ++x) {
                const glm::dvec3 place = (glm::dvec3(x, y, z) + 0.5) * box.spacing;
                double value = 1.0;
                for (int a = 0; a < 3; ++a) {
                    if (!box.has_axis(a)) continue;
                    const double angle = std::numbers::pi * place[a];
                    switch (box.boundary_of(a)) {
                    case PoissonBoundary::neumann: value *= std::cos(angle); break;
                    case PoissonBoundary::dirichlet: value *= std::sin(angle); break;
                    case PoissonBoundary::periodic: value *= std::cos(2.0 * angle); break;
                    }
                }
                u.push_back(value);
            }
    return u;
}

Field scaled(Field field, double factor) {
    for (double& value : field)
        value *= factor;
    return field;
}

/// Of the discrete operator.
std::vector<double> eigenvalues(const PoissonBox& box) {
    std::vector<double> values{0.0};
    for (int a = 0; a < 3; ++a) {
        if (!box.has_axis(a)) continue;
        const bool walls = box.boundary_of(a) == PoissonBoundary::dirichlet;
        const double turns = box.boundary_of(a) == PoissonBoundary::periodic ? 2.0 : 1.0;
        std::vector<double> products;
        for (std::uint32_t k = 0; k < box.size[a]; ++k) {
            const double angle = turns * std::numbers::pi * (k + (walls ? 1.0 : 0.0)) / box.size[a];
            const double own = (2.0 - 2.0 * std::cos(angle)) / (box.spacing[a] * box.spacing[a]);
            for (const double value : values)
                products.push_back(value + own);
        }
        values = std::move(products);
    }
    return values;
}

/// The relative error that floats leave in a solution. They know the residual of a cell to some
/// roundings of the greatest eigenvalue times the solution there, which differ from cell to cell as
/// noise does; their mean square is a tenth of that of one such rounding, so one is three times as
/// much. The inverse operator makes of noise what it makes of each mode. That the roundings are
/// noise takes weights whose sums are exact: a diagonal that is off by one is so in all cells, and
/// shifts the least eigenvalue by as much.
double rounding(const PoissonBox& box) {
    double most = 0.0;
    double inverse_squares = 0.0;
    for (const double value : eigenvalues(box)) {
        most = std::max(most, value);
        if (value > 1e-9 * most) inverse_squares += 1.0 / (value * value);
    }
    return 0x1p-24 * most * std::sqrt(inverse_squares / static_cast<double>(box.count()));
}

class PoissonSolutions : public testing_gpu::PoissonTest {};

TEST_F(PoissonSolutions, AreTheEigenvectorSolutionsForAnySizeAndBoundary) {
    TUFF_ONLY_ON(lavapipe);
    std::vector<Problem> problems;
    std::uint32_t seed = 0;
    const auto add = [&](glm::uvec3 size, PoissonBoundaries boundary, glm::dvec3 spacing) {
        const PoissonBox box{.size = size, .spacing = spacing, .boundary = boundary, .cells = {}};
        problems.push_back(
            {box, random_rhs(box, ++seed), Poisson{.tolerance = 2e-6f, .max_cycles = 9}});
    };
    for (const PoissonBoundary boundary : kBoundaries)
        for (const glm::uvec3 size :
             {glm::uvec3(1, 1, 1), glm::uvec3(2, 1, 1), glm::uvec3(37, 1, 1), glm::uvec3(3, 2, 1),
              glm::uvec3(35, 38, 1), glm::uvec3(7, 13, 5), glm::uvec3(16, 12, 8),
              glm::uvec3(33, 17, 5)})
            add(size, PoissonBoundaries::all(boundary), glm::dvec3(1.0));
    using enum PoissonBoundary;
    add({13, 17, 10}, {neumann, dirichlet, periodic}, {0.1, 0.1, 0.1});
    add({10, 16, 11}, {periodic, neumann, neumann}, {1.0, 3.0, 0.5}); // cells that are not cubes
    for (int times = 0; times < 3; ++times) // of other right-hand sides: weak coupling along y
        add({90, 60, 1}, {periodic, dirichlet, neumann}, {0.01, 0.06, 1.0});
    add({1, 20, 24}, {dirichlet, neumann, periodic}, {1.0, 1.0, 1.0}); // a layer between walls
    add({24, 1, 20}, {neumann, dirichlet, periodic}, {0.5, 0.5, 0.5});
    add({24, 1, 20}, {dirichlet, periodic, neumann}, {0.5, 0.5, 0.5}); // its own neighbour
    // Regular cells, with tiles beside each other and with tiles that lead around to themselves.
    for (const PoissonBoundary boundary : kBoundaries) {
        add({60, 58, 1}, PoissonBoundaries::all(boundary), glm::dvec3(1.0));
        add({66, 22, 6}, PoissonBoundaries::all(boundary), glm::dvec3(1.0));
    }
    add({16, 20, 12}, {dirichlet, periodic, neumann}, {0.25, 0.3, 0.25});
    add({2, 4, 70}, {periodic, periodic, dirichlet}, {1.0, 1.0, 1.0});
    add({140, 2, 1}, {dirichlet, periodic, neumann}, {1.0, 1.0, 1.0});
    const std::vector<Solved> solved = solve(problems);
    for (std::size_t i = 0; i < problems.size(); ++i) {
        const PoissonBox& box = problems[i].box;
        SCOPED_TRACE(testing::Message()
                     << i << ": " << box.size.x << " x " << box.size.y << " x " << box.size.z);
        const Field expected = solve_by_eigenvectors(box, problems[i].rhs);
        ASSERT_EQ(solved[i].u.size(), expected.size());
        // A residual of 2e-6 leaves an error of as much times the condition of the problem, about
        // the square of the longest axis; random residuals are far from that.
        EXPECT_LE(norm(difference(solved[i].u, expected)),
                  (1e-4 + rounding(box)) * norm(expected) + 1e-6);
        EXPECT_TRUE(solved[i].report.status == PoissonStatus::converged ||
                    solved[i].report.status == PoissonStatus::stagnated)
            << static_cast<int>(solved[i].report.status);
    }
}

TEST_F(PoissonSolutions, HaveAnErrorOfSecondOrder) {
    TUFF_ONLY_ON(lavapipe);
    std::vector<Problem> problems;
    for (const PoissonBoundary boundary : kBoundaries)
        for (const glm::uvec3 size : {glm::uvec3(16, 16, 16), glm::uvec3(32, 32, 32),
                                      glm::uvec3(24, 24, 1), glm::uvec3(48, 48, 1)}) {
            const PoissonBox box{.size = size,
                                 .spacing = glm::dvec3(1.0 / size.x),
                                 .boundary = PoissonBoundaries::all(boundary),
                                 .cells = {}};
            const double waves_squared = boundary == PoissonBoundary::periodic ? 4.0 : 1.0;
            const double axes = size.z > 1 ? 3.0 : 2.0;
            const double factor = axes * waves_squared * std::numbers::pi * std::numbers::pi;
            problems.push_back({box, scaled(waves(box), factor), Poisson{.tolerance = 1e-6f}});
        }
    const std::vector<Solved> solved = solve(problems);
    for (std::size_t i = 0; i < problems.size(); ++i) {
        SCOPED_TRACE(i);
        const PoissonBox& box = problems[i].box;
        const Field exact = waves(box);
        const double error = greatest(difference(solved[i].u, exact));
        // sin(a)^2 = a^2 (1 - a^2 / 3 + ...), a = k pi h / 2: the relative error of the operator.
        const double k = box.boundary.x == PoissonBoundary::periodic ? 2.0 : 1.0;
        const double a = k * std::numbers::pi * box.spacing.x / 2.0;
        const double expected = (a * a / (std::sin(a) * std::sin(a)) - 1.0) * greatest(exact);
        EXPECT_NEAR(error, expected, 0.02 * expected);
    }
}

TEST_F(PoissonSolutions, ConvergeAsFastOnFineGridsAsOnCoarseOnes) {
    TUFF_ONLY_ON(lavapipe);
    // The first cycles smooth what the start leaves; from the second on the slowest part shows.
    std::vector<Problem> problems;
    for (const PoissonBoundary boundary : kBoundaries)
        for (const glm::uvec3 size :
             {glm::uvec3(16, 16, 16), glm::uvec3(32, 32, 32), glm::uvec3(21, 17, 19),
              glm::uvec3(56, 56, 1), glm::uvec3(112, 112, 1), glm::uvec3(97, 61, 1)}) {
            const PoissonBox box{.size = size,
                                 .spacing = glm::dvec3(1.0),
                                 .boundary = PoissonBoundaries::all(boundary),
                                 .cells = {}};
            problems.push_back({box, random_rhs(box), Poisson{.tolerance = 0.0f, .max_cycles = 5}});
        }
    const std::vector<Solved> solved = solve(problems);
    for (std::size_t i = 0; i < problems.size(); ++i) {
        SCOPED_TRACE(i);
        ASSERT_EQ(solved[i].residuals.size(), 6u);
        // The same cycle in double precision on the CPU has 0.07 to 0.113, the most with sides of
        // odd numbers; a quarter more for the few cycles that the mean is over.
        EXPECT_LE(solved[i].factor(), 0.14);
        // Down to where rounding decides: of these right-hand sides, solutions on 256 cells are
        // some ten times as large, and floats know their residual to 1e-5 of them.
        const float least = 5e-5f * solved[i].residuals[0];
        for (std::size_t k = 2; k < 6 && solved[i].residuals[k - 1] > least; ++k)
            EXPECT_LT(solved[i].residuals[k], 0.25f * solved[i].residuals[k - 1]);
    }
    // Of each boundary, cubes and squares.
    for (std::size_t i = 0; i < problems.size(); i += 3)
        EXPECT_LE(solved[i + 1].factor(), solved[i].factor() + 0.03) << i;
}

TEST_F(PoissonSolutions, AreTheSameByEveryMethod) {
    TUFF_ONLY_ON(lavapipe);
    std::vector<Problem> problems;
    std::vector<Field> expected;
    using enum PoissonMethod;
    const auto add = [&](glm::uvec3 size, PoissonBoundary boundary,
                         std::initializer_list<PoissonMethod> methods) {
        const PoissonBox box{.size = size,
                             .spacing = glm::dvec3(0.5),
                             .boundary = PoissonBoundaries::all(boundary),
                             .cells = {}};
        const Field rhs = random_rhs(box);
        for (const PoissonMethod method : methods) {
            problems.push_back({box, rhs,
                                Poisson{.method = method,
                                        .tolerance = 2e-5f, // overrelaxation rounds to 1.4e-5
                                        .max_cycles = method < v_cycle ? 28u : 12u,
                                        .batch_sweeps = 14}});
            expected.push_back(solve_by_eigenvectors(box, rhs));
        }
    };
    // The number of sweeps grows with the square of the side.
    add({7, 6, 5}, PoissonBoundary::neumann, {jacobi, gauss_seidel, sor});
    add({11, 8, 1}, PoissonBoundary::dirichlet, {jacobi, gauss_seidel, sor});
    add({8, 6, 9}, PoissonBoundary::periodic, {jacobi, gauss_seidel, sor});
    add({13, 12, 9}, PoissonBoundary::neumann,
        {sor, v_cycle, w_cycle, full_multigrid, mgpcg, printed_v, printed_4w});
    add({21, 18, 1}, PoissonBoundary::dirichlet, {v_cycle, w_cycle, full_multigrid, mgpcg});
    add({18, 16, 16}, PoissonBoundary::periodic, {v_cycle, w_cycle, full_multigrid, mgpcg});
    add({75, 60, 1}, PoissonBoundary::neumann,
        {v_cycle, w_cycle, full_multigrid, mgpcg, printed_v, printed_4w});
    add({7, 6, 5}, PoissonBoundary::neumann, {printed_v, printed_4w});
    const std::vector<Solved> solved = solve(problems);
    for (std::size_t i = 0; i < problems.size(); ++i) {
        SCOPED_TRACE(testing::Message()
                     << i << ", method " << static_cast<int>(problems[i].pass.method));
        EXPECT_EQ(solved[i].report.status, PoissonStatus::converged)
            << solved[i].report.last_residual / solved[i].report.rhs_norm;
        ASSERT_EQ(solved[i].u.size(), expected[i].size());
        EXPECT_LE(norm(difference(solved[i].u, expected[i])), 1e-3 * norm(expected[i]));
    }
}

} // namespace
} // namespace tuff
