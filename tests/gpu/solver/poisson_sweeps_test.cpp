#include "passes/solver/poisson_grid.hpp"
#include "tests/gpu/solver/poisson_test.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numbers>

/// solver/poisson held against sweeps and cycles in double precision: how many really run, in which
/// order, with which factor of relaxation.
namespace tuff {
namespace {

using passes::best_overrelaxation;
using passes::finest_grid;
using passes::Poisson;
using passes::PoissonBoundaries;
using passes::PoissonBoundary;
using passes::PoissonMethod;
using testing_gpu::difference;
using testing_gpu::Field;
using testing_gpu::greatest;
using testing_gpu::kBoundaries;
using testing_gpu::norm;
using testing_gpu::PoissonBox;
using testing_gpu::random_rhs;
using testing_gpu::remove_mean;
using testing_gpu::Solved;

/// A box of even sides, its equation written out cell by cell.
class SweepReference {
  public:
    explicit SweepReference(PoissonBox box) : box_(std::move(box)) {}

    void jacobi(Field& u, const Field& rhs, double omega) const {
        const Field before = u;
        for (std::size_t i = 0; i < u.size(); ++i)
            u[i] += omega * (relaxed(before, rhs, i) - before[i]);
    }
    /// Of the red cells, whose coordinates have an even sum, and then of the black ones.
    void red_black(Field& u, const Field& rhs, double omega) const {
        for (int color = 0; color < 2; ++color)
            for (std::size_t i = 0; i < u.size(); ++i) {
                const glm::ivec3 p = place(i);
                if ((p.x + p.y + p.z) % 2 == color) u[i] += omega * (relaxed(u, rhs, i) - u[i]);
            }
    }
    /// Sweeps until the residual is `tolerance` of what it was.
    std::uint32_t red_black_count(const Field& rhs, double omega, double tolerance) const {
        Field u(rhs.size(), 0.0);
        std::uint32_t count = 0;
        for (; count < 2000 && residual_norm(u, rhs) > tolerance * norm(rhs); ++count)
            red_black(u, rhs, omega);
        return count;
    }
    /// Two grids: the coarser one is solved exactly.
    void cycle(Field& u, const Field& rhs, std::uint32_t before, std::uint32_t after,
               double omega) const {
        for (std::uint32_t i = 0; i < before; ++i)
            red_black(u, rhs, omega);
        const PoissonBox coarse = coarser();
        const Field left = restricted(u, rhs);
        const Field correction = solve_by_eigenvectors(coarse, left);
        for (std::size_t i = 0; i < u.size(); ++i)
            u[i] += interpolated(coarse, correction, place(i));
        for (std::uint32_t i = 0; i < after; ++i)
            red_black(u, rhs, omega);
    }
    /// The chapter's V- or W-cycle: walls take a cell's own former value for the neighbour's.
    void printed_cycle(Field& u, const Field& rhs, std::uint32_t descents) const {
        const auto sweeps = [&](int count, double omega) {
            for (int half = 0; half < 2 * count; ++half)
                for (std::size_t i = 0; i < u.size(); ++i) {
                    const glm::ivec3 p = place(i);
                    if ((p.x + p.y + p.z) % 2 != half % 2) continue;
                    double around = 0.0;
                    double weights = 0.0;
                    for (int a = 0; a < 3; ++a)
                        for (const int way : {-1, 1}) {
                            if (box_.size[a] == 1) continue;
                            const double weight = 1.0 / (box_.spacing[a] * box_.spacing[a]);
                            glm::ivec3 q = p;
                            q[a] = std::clamp(q[a] + way, 0, static_cast<int>(box_.size[a]) - 1);
                            around += weight * u[index(box_, q)];
                            weights += weight;
                        }
                    u[i] = (1.0 - omega) * u[i] + omega * (around + rhs[i]) / weights;
                }
        };
        if (box_.size.x <= 8) return sweeps(32, 1.5);
        sweeps(2, 0.75);
        const PoissonBox coarse = coarser();
        const Field left = restricted(u, rhs);
        Field correction(left.size(), 0.0);
        for (std::uint32_t i = 0; i < descents; ++i)
            SweepReference(coarse).printed_cycle(correction, left, 1);
        for (std::size_t i = 0; i < u.size(); ++i)
            u[i] += correction[index(coarse, place(i) / factor())];
        sweeps(4, 1.25);
    }
    double residual_norm(const Field& u, const Field& rhs) const {
        return norm(difference(rhs, minus_laplace(box_, u)));
    }

  private:
    PoissonBox coarser() const {
        PoissonBox coarse = box_;
        for (int a = 0; a < 3; ++a)
            if (box_.size[a] > 1) {
                coarse.size[a] /= 2;
                coarse.spacing[a] *= 2.0;
            }
        return coarse;
    }
    /// The means of the residual over coarse cells.
    Field restricted(const Field& u, const Field& rhs) const {
        const PoissonBox coarse = coarser();
        Field left(coarse.count(), 0.0);
        const Field residual = difference(rhs, minus_laplace(box_, u));
        const double share = static_cast<double>(coarse.count()) / static_cast<double>(u.size());
        for (std::size_t i = 0; i < u.size(); ++i)
            left[index(coarse, place(i) / factor())] += share * residual[i];
        return left;
    }
    glm::ivec3 place(std::size_t i) const {
        const std::size_t x = box_.size.x;
        const std::size_t y = box_.size.y;
        return {static_cast<int>(i % x), static_cast<int>(i / x % y), static_cast<int>(i / x / y)};
    }
    static std::size_t index(const PoissonBox& box, glm::ivec3 p) {
        const glm::ivec3 size(box.size);
        return static_cast<std::size_t>(p.x + size.x * (p.y + size.y * p.z));
    }
    glm::ivec3 factor() const {
        return {box_.size.x > 1 ? 2 : 1, box_.size.y > 1 ? 2 : 1, box_.size.z > 1 ? 2 : 1};
    }
    /// What makes the residual of cell `i` 0.
    double relaxed(const Field& u, const Field& rhs, std::size_t i) const {
        double diagonal = 0.0;
        double sum = rhs[i];
        for (int a = 0; a < 3; ++a) {
            const auto side = static_cast<int>(box_.size[a]);
            if (side == 1) continue;
            const double weight = 1.0 / (box_.spacing[a] * box_.spacing[a]);
            for (const int way : {-1, 1}) {
                glm::ivec3 p = place(i);
                p[a] += way;
                const bool outside = p[a] < 0 || p[a] >= side;
                if (outside && box_.boundary_of(a) == PoissonBoundary::neumann) continue;
                if (outside && box_.boundary_of(a) == PoissonBoundary::dirichlet) {
                    diagonal += 2.0 * weight; // 0 lies half as far away
                    continue;
                }
                p[a] = (p[a] + side) % side;
                diagonal += weight;
                sum += weight * u[index(box_, p)];
            }
        }
        return sum / diagonal;
    }
    double interpolated(const PoissonBox& coarse, const Field& u, glm::ivec3 p) const {
        double sum = 0.0;
        for (int corner = 0; corner < 8; ++corner) {
            glm::ivec3 q = p / factor();
            double weight = 1.0;
            for (int a = 0; a < 3; ++a) {
                const auto side = static_cast<int>(coarse.size[a]);
                const bool far = (corner >> a & 1) != 0;
                if (box_.size[a] == 1) {
                    if (far) weight = 0.0;
                    continue;
                }
                weight *= far ? 0.25 : 0.75;
                if (!far) continue;
                q[a] += p[a] % 2 == 0 ? -1 : 1;
                if (q[a] >= 0 && q[a] < side) continue;
                if (box_.boundary_of(a) == PoissonBoundary::dirichlet) weight = -weight;
                q[a] = box_.boundary_of(a) == PoissonBoundary::periodic ? (q[a] + side) % side
                                                                        : p[a] / 2;
            }
            if (weight != 0.0) sum += weight * u[index(coarse, q)];
        }
        return sum;
    }
    PoissonBox box_;
};

PoissonBox box_for_sweeps(glm::uvec3 size, PoissonBoundary boundary) {
    return {.size = size,
            .spacing = glm::dvec3(1.0),
            .boundary = PoissonBoundaries::all(boundary),
            .cells = {}};
}

Field without_mean(const PoissonBox& box, Field u) {
    if (box.is_singular()) remove_mean(u);
    return u;
}

class PoissonSweeps : public testing_gpu::PoissonTest {};

TEST_F(PoissonSweeps, OfABatchAreAsManyAsAreAskedFor) {
    TUFF_ONLY_ON(lavapipe);
    std::vector<Problem> problems;
    std::vector<Field> expected;
    using enum PoissonMethod;
    for (const PoissonBoundary boundary : kBoundaries)
        for (const glm::uvec3 size : {glm::uvec3(10, 8, 12), glm::uvec3(40, 18, 1)})
            for (const PoissonMethod method : {jacobi, gauss_seidel, sor})
                for (const std::uint32_t batch : {1u, 5u}) {
                    const PoissonBox box = box_for_sweeps(size, boundary);
                    const Field rhs = random_rhs(box, 3);
                    problems.push_back({box, rhs,
                                        Poisson{.method = method,
                                                .tolerance = 0.0f,
                                                .max_cycles = 2,
                                                .omega = method == gauss_seidel ? 0.0f : 0.9f,
                                                .batch_sweeps = batch}});
                    const SweepReference reference(box);
                    Field u(rhs.size(), 0.0);
                    const double omega = method == gauss_seidel ? 1.0 : double{0.9f};
                    for (std::uint32_t sweep = 0; sweep < 2 * batch; ++sweep)
                        method == jacobi ? reference.jacobi(u, rhs, omega)
                                         : reference.red_black(u, rhs, omega);
                    expected.push_back(without_mean(box, u));
                }
    const std::vector<Solved> solved = solve(problems);
    for (std::size_t i = 0; i < problems.size(); ++i) {
        SCOPED_TRACE(i);
        ASSERT_EQ(solved[i].u.size(), expected[i].size());
        EXPECT_LE(norm(difference(solved[i].u, expected[i])), 2e-6 * norm(expected[i]));
    }
}

TEST_F(PoissonSweeps, OfACycleAreAsManyOnEachSideOfTheCorrectionAsAreAskedFor) {
    TUFF_ONLY_ON(lavapipe);
    constexpr std::array<std::array<std::uint32_t, 2>, 6> kSweeps{
        {{1, 1}, {2, 1}, {1, 2}, {4, 3}, {2, 0}, {0, 2}}};
    std::vector<Problem> problems;
    std::vector<Field> expected;
    for (const PoissonBoundary boundary : kBoundaries)
        for (const glm::uvec3 size : {glm::uvec3(16, 16, 16), glm::uvec3(32, 28, 1)})
            for (const auto& [before, after] : kSweeps) {
                const PoissonBox box = box_for_sweeps(size, boundary);
                const Field rhs = random_rhs(box, 4);
                problems.push_back({box, rhs,
                                    Poisson{.tolerance = 0.0f,
                                            .max_cycles = 2,
                                            .pre_sweeps = before,
                                            .post_sweeps = after,
                                            .omega = 1.1f}});
                Field u(rhs.size(), 0.0);
                for (int cycle = 0; cycle < 2; ++cycle)
                    SweepReference(box).cycle(u, rhs, before, after, double{1.1f});
                expected.push_back(without_mean(box, u));
            }
    const std::vector<Solved> solved = solve(problems);
    for (std::size_t i = 0; i < problems.size(); ++i) {
        SCOPED_TRACE(i);
        ASSERT_EQ(solved[i].u.size(), expected[i].size());
        EXPECT_LE(norm(difference(solved[i].u, expected[i])), 2e-5 * norm(expected[i]));
        const double residual =
            SweepReference(problems[i].box).residual_norm(expected[i], problems[i].rhs);
        ASSERT_EQ(solved[i].residuals.size(), 3u);
        EXPECT_NEAR(static_cast<double>(solved[i].residuals[2]), residual, 2e-3 * residual);
        // One sweep more or less shows.
        if (i % kSweeps.size() > 0) {
            EXPECT_GE(norm(difference(expected[i], expected[i - 1])), 1e-4 * norm(expected[i]));
        }
    }
}

TEST_F(PoissonSweeps, OfTheChaptersCyclesAreAsItHasThem) {
    std::vector<Problem> problems;
    std::vector<Field> expected;
    for (const PoissonMethod method : {PoissonMethod::printed_v, PoissonMethod::printed_4w})
        for (const glm::uvec3 size :
             {glm::uvec3(8, 8, 8), glm::uvec3(32, 32, 32), glm::uvec3(64, 64, 1)}) {
            const PoissonBox box = box_for_sweeps(size, PoissonBoundary::neumann);
            const Field rhs = random_rhs(box, 7);
            problems.push_back(
                {box, rhs, Poisson{.method = method, .tolerance = 0.0f, .max_cycles = 4}});
            Field u(rhs.size(), 0.0);
            for (int cycle = 0; cycle < 4; ++cycle)
                SweepReference(box).printed_cycle(u, rhs,
                                                  method == PoissonMethod::printed_v ? 1 : 4);
            expected.push_back(without_mean(box, u));
        }
    const std::vector<Solved> solved = solve(problems);
    for (std::size_t i = 0; i < problems.size(); ++i) {
        SCOPED_TRACE(i);
        ASSERT_EQ(solved[i].u.size(), expected[i].size());
        EXPECT_LE(norm(difference(solved[i].u, expected[i])), 2e-5 * norm(expected[i]));
        const double residual =
            SweepReference(problems[i].box).residual_norm(expected[i], problems[i].rhs);
        ASSERT_EQ(solved[i].residuals.size(), 5u);
        EXPECT_NEAR(static_cast<double>(solved[i].residuals[4]), residual,
                    0.02 * residual + 2e-5 * norm(problems[i].rhs));
        if (i % 3 != 1) continue;
        // Floats know no more residuals than these; the reference goes on to what is known of
        // cubes.
        const SweepReference reference(problems[i].box);
        Field u = expected[i];
        const int descents = i < 3 ? 1 : 4;
        for (int cycle = 0; cycle < 3; ++cycle)
            reference.printed_cycle(u, problems[i].rhs, static_cast<std::uint32_t>(descents));
        const double factor =
            std::pow(reference.residual_norm(u, problems[i].rhs) / residual, 1.0 / 3.0);
        EXPECT_GE(factor, descents == 1 ? 0.03 : 0.015);
        EXPECT_LE(factor, descents == 1 ? 0.05 : 0.04) << solved[i].factor(2);
        EXPECT_LE(solved[i].factor(2), 0.09);
    }
}

TEST_F(PoissonSweeps, AreAsManyToAToleranceAsInDoublePrecision) {
    TUFF_ONLY_ON(lavapipe);
    std::vector<Problem> problems;
    std::vector<std::uint32_t> expected;
    for (const std::uint32_t side : {8u, 16u}) {
        const PoissonBox box = box_for_sweeps(glm::uvec3(side), PoissonBoundary::neumann);
        const Field rhs = random_rhs(box, 5);
        for (const float omega : {0.0f, 1.5f}) {
            problems.push_back({box, rhs,
                                Poisson{.method = PoissonMethod::sor,
                                        .tolerance = 1e-3f,
                                        .max_cycles = 140,
                                        .omega = omega,
                                        .batch_sweeps = 1}});
            const double factor =
                omega > 0.0f
                    ? double{omega}
                    : best_overrelaxation(finest_grid(box.size, glm::vec3(1.0f), box.boundary));
            expected.push_back(SweepReference(box).red_black_count(rhs, factor, 1e-3));
        }
    }
    const std::vector<Solved> solved = solve(problems);
    for (std::size_t i = 0; i < problems.size(); ++i)
        EXPECT_EQ(solved[i].report.cycles, expected[i]) << i;
    EXPECT_NEAR(expected[0], 16.0, 2.0); // published for these cubes
    EXPECT_NEAR(expected[2], 33.0, 3.0);
}

TEST(PoissonOverrelaxation, IsFastestWithinThreeHundredthsOfTheFormula) {
    for (const PoissonBoundary boundary : kBoundaries)
        for (const glm::uvec3 size :
             {glm::uvec3(8, 8, 8), glm::uvec3(14, 14, 14), glm::uvec3(16, 16, 1)}) {
            const PoissonBox box = box_for_sweeps(size, boundary);
            const Field rhs = random_rhs(box, 6);
            const double formula =
                best_overrelaxation(finest_grid(size, glm::vec3(1.0f), box.boundary));
            std::uint32_t fewest = ~0u;
            double nearest = 10.0; // of the factors that take the fewest sweeps
            for (int step = -15; step <= 15; ++step) {
                const double omega = formula + 0.01 * step;
                if (omega >= 2.0) break;
                const std::uint32_t count = SweepReference(box).red_black_count(rhs, omega, 1e-7);
                if (count < fewest) nearest = 10.0;
                fewest = std::min(fewest, count);
                if (count == fewest) nearest = std::min(nearest, 0.01 * std::abs(step));
            }
            EXPECT_LE(nearest, 0.03 + 1e-9)
                << size.x << " " << size.z << " " << static_cast<int>(boundary) << ": " << formula;
        }
}

TEST_F(PoissonSweeps, OfOneFullCycleLeaveNoMoreThanTheErrorOfTheGridWhichIsOfSecondOrder) {
    TUFF_ONLY_ON(lavapipe);
    std::vector<Problem> problems;
    std::vector<Field> exact;
    for (const PoissonBoundary boundary : kBoundaries)
        for (const glm::uvec3 size :
             {glm::uvec3(16, 16, 16), glm::uvec3(32, 32, 32), glm::uvec3(64, 64, 64),
              glm::uvec3(32, 32, 1), glm::uvec3(64, 64, 1), glm::uvec3(128, 128, 1)}) {
            PoissonBox box = box_for_sweeps(size, boundary);
            box.spacing = glm::dvec3(1.0 / size.x);
            const double k = (boundary == PoissonBoundary::periodic ? 2.0 : 1.0) * std::numbers::pi;
            const auto wave = [&](std::size_t at, std::uint32_t side) {
                if (side == 1) return 1.0;
                const double angle = k * (static_cast<double>(at % side) + 0.5) / side;
                return boundary == PoissonBoundary::dirichlet ? std::sin(angle) : std::cos(angle);
            };
            Field u(box.count());
            for (std::size_t i = 0; i < u.size(); ++i)
                u[i] =
                    wave(i, size.x) * wave(i / size.x, size.y) * wave(i / size.x / size.y, size.z);
            Field rhs = u;
            for (double& value : rhs)
                value *= (size.z > 1 ? 3.0 : 2.0) * k * k;
            for (const std::uint32_t cycles : {1u, 2u}) {
                problems.push_back({box, rhs,
                                    Poisson{.method = PoissonMethod::full_multigrid,
                                            .tolerance = 0.0f,
                                            .max_cycles = cycles}});
                exact.push_back(u);
            }
        }
    const std::vector<Solved> solved = solve(problems);
    for (std::size_t i = 0; i < problems.size(); ++i) {
        SCOPED_TRACE(i);
        ASSERT_EQ(solved[i].u.size(), exact[i].size());
        const PoissonBox& box = problems[i].box;
        const double k = box.boundary.x == PoissonBoundary::periodic ? 2.0 : 1.0;
        const double a = k * std::numbers::pi * box.spacing.x / 2.0;
        const double ratio = a * a / (std::sin(a) * std::sin(a)); // of discrete to exact
        Field discrete = exact[i];
        for (double& value : discrete)
            value *= ratio;
        const double of_grid = greatest(difference(discrete, exact[i]));
        const double found = greatest(difference(solved[i].u, exact[i]));
        // What a cycle leaves may cancel some of the grid's error; floats add some hundredths.
        EXPECT_LE(found, 1.1 * of_grid);
        if (problems[i].pass.max_cycles == 1) continue;
        // So each doubling has a fourth of the error, as the closed form of the grid's own has.
        EXPECT_GE(found, 0.75 * of_grid);
        EXPECT_LE(greatest(difference(solved[i].u, discrete)), 0.25 * of_grid);
    }
}

} // namespace
} // namespace tuff
