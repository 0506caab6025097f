#include "apps/bench/checks.hpp"
#include "apps/bench/hypre.hpp"
#include "apps/bench/vkfft.hpp"
#include "passes/fft/lengths.hpp"
#include "passes/solver/poisson.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

/// Poisson's equation in squares and cubes, and one cycle of its multigrid method.
namespace tuff::bench {
namespace {

using passes::Poisson;
using passes::PoissonBoundaries;
using passes::PoissonBoundary;

/// Adds up to 0 exactly: each number is there with both signs.
float paired_noise(std::uint64_t i) {
    const float value = hash_unit(i / 2) - 0.5f;
    return i % 2 == 0 ? value : -value;
}

struct Grid {
    glm::uvec3 size{1};
    PoissonBoundary boundary = PoissonBoundary::neumann;
    std::uint64_t count() const { return std::uint64_t{size.x} * size.y * size.z; }
};

/// Sides are even, so that there is a pair for each cell.
std::uint32_t even(double side) {
    return std::max(static_cast<std::uint32_t>(side + 1e-6) / 2 * 2, 2u);
}
Grid square(CaseBuilder& c, PoissonBoundary boundary) {
    const std::uint32_t side = even(std::sqrt(static_cast<double>(c.size())));
    return {glm::uvec3(side, side, 1), boundary};
}
Grid cube(CaseBuilder& c, PoissonBoundary boundary) {
    return {glm::uvec3(even(std::cbrt(static_cast<double>(c.size())))), boundary};
}

/// Cycles to 1e-4, whatever the size of the grid.
constexpr std::uint32_t kEnoughCycles = 4;
constexpr std::uint32_t kEnoughAroundSolids = 10;
constexpr std::uint32_t kEnoughBetweenSides = 5; // 4 at 32^3, of which rounding may make one more

/// Solid cells of a unit cube: a ball, and a wall with a slit behind it.
bool is_solid(glm::dvec3 place) {
    const bool wall = std::abs(place.x - 0.82) < 0.03 && std::abs(place.y - 0.4) > 0.05;
    return wall || glm::distance(place, glm::dvec3(0.42, 0.5, 0.55)) < 0.27;
}

/// What each wall has for the equation of its cell: `weight` times the solution, less `gain`.
struct Walls {
    double weight = 0.0;
    double gain = 0.0;
};

/// The residual's norm over that of the right-hand side, in double precision. `cells` may be empty.
double relative_residual(const Grid& grid, std::span<const float> rhs, std::span<const float> u,
                         std::span<const std::uint32_t> cells = {}, Walls walls = {}) {
    const auto coupled = [&](std::size_t i) { return cells.empty() || cells[i] == 0; };
    const std::size_t stride[3] = {1, grid.size.x, std::size_t{grid.size.x} * grid.size.y};
    double squares = 0.0;
    double all = 0.0;
    std::size_t i = 0;
    for (std::uint32_t z = 0; z < grid.size.z; ++z)
        for (std::uint32_t y = 0; y < grid.size.y; ++y)
            for (std::uint32_t x = 0; x < grid.size.x; ++x, ++i) {
                if (!coupled(i)) continue;
                const std::uint32_t at[3] = {x, y, z};
                const auto flow_to = [&](std::size_t other) {
                    const double apart = static_cast<double>(u[i]) - static_cast<double>(u[other]);
                    return coupled(other) ? apart : 0.0;
                };
                double r = static_cast<double>(rhs[i]);
                double number = 0.0; // of its faces that are walls
                for (int a = 0; a < 3; ++a)
                    if (grid.size[a] > 1) number += (at[a] == 0) + (at[a] + 1 == grid.size[a]);
                r += number * walls.gain;
                all += r * r;
                r -= number * walls.weight * static_cast<double>(u[i]);
                for (int a = 0; a < 3; ++a) {
                    const std::uint32_t side = grid.size[a];
                    if (side == 1) continue;
                    const std::size_t step = stride[a];
                    const bool around = grid.boundary == PoissonBoundary::periodic;
                    if (at[a] > 0)
                        r -= flow_to(i - step);
                    else if (around)
                        r -= flow_to(i + step * (side - 1));
                    if (at[a] + 1 < side)
                        r -= flow_to(i + step);
                    else if (around)
                        r -= flow_to(i - step * (side - 1));
                }
                squares += r * r;
            }
    return std::sqrt(squares / all);
}

/// What hypre makes of the same problem, where it is installed. Of grids beyond these it is not
/// asked: MPI takes longer to begin than it to solve few cells, and it takes hundreds of bytes a
/// cell.
constexpr std::uint64_t kLeastForHypre = std::uint64_t{1} << 13;
constexpr std::uint64_t kMaxForHypre = std::uint64_t{1} << 22;

Verdict compare_with_hypre(CaseResults& results, const Grid& grid, std::span<const float> rhs,
                           double tolerance, double residual) {
    if (grid.count() < kLeastForHypre || grid.count() > kMaxForHypre) return {};
    const auto solved = solve_by_hypre(grid.size, grid.boundary, rhs, tolerance);
    if (!solved) return {};
    results.add_peer({.name = solved->name, .milliseconds = solved->milliseconds});
    const double left = relative_residual(grid, rhs, solved->solution);
    if (left <= residual) return {};
    return std::unexpected(fmt::format("hypre's residual is {:.3g} of the right-hand side, more "
                                       "than {:.3g}",
                                       left, residual));
}

/// Of grids of any size.
Verdict takes_few_cycles(CaseResults& results, std::uint32_t most) {
    const auto status = results.read<std::uint32_t>("status");
    if (status.size() < passes::kPoissonStatusWords) return {}; // an error of its own
    const std::uint32_t cycles = passes::PoissonReport::read(status).cycles;
    results.set_remark(fmt::format("{} cycles", cycles));
    if (cycles <= most) return {};
    return std::unexpected(fmt::format("it took {} cycles, more than {}", cycles, most));
}

/// With a tolerance of 0, which is for cycles that are timed alone, nothing is compared with.
void solve(CaseBuilder& c, const Grid& grid, Poisson pass, double residual,
           std::uint32_t most_cycles = kEnoughCycles) {
    const auto rhs = c.input<float>("rhs", grid.count(), paired_noise);
    pass.rhs = rhs.buffer;
    pass.size = grid.size;
    pass.boundary = PoissonBoundaries::all(grid.boundary);
    const Poisson solved = c.add(pass, "solve");
    c.output("solution", solved.solution);
    c.output("status", solved.status);
    c.set_cost({.bytes = 8.0 * static_cast<double>(grid.count()),
                .operations = 8.0 * static_cast<double>(grid.count())});
    const auto tolerance = static_cast<double>(pass.tolerance);
    c.check([=](CaseResults& results) -> Verdict {
        const auto got = results.read<float>("solution");
        if (got.size() != grid.count()) return std::unexpected("there is no solution");
        const double left = relative_residual(grid, rhs.values(), got);
        if (left > residual)
            return std::unexpected(fmt::format("the residual is {:.3g} of the right-hand side, "
                                               "more than {:.3g}",
                                               left, residual));
        if (const Verdict few = takes_few_cycles(results, most_cycles); !few) return few;
        if (tolerance == 0.0) return {};
        return compare_with_hypre(results, grid, rhs.values(), tolerance, residual);
    });
}

/// Twice as many as are needed. The kernels of those that the device skips cost about 2 us each.
constexpr std::uint32_t kMaxCycles = 2 * kEnoughCycles;
/// Rounding leaves some of the residual that the solver has not seen.
constexpr double kResidual = 1.05e-4;

void solve_square(CaseBuilder& c) {
    // Sweeps of a picture share one pass over memory.
    solve(c, square(c, PoissonBoundary::neumann),
          Poisson{.max_cycles = kMaxCycles, .pre_sweeps = 2, .post_sweeps = 2}, kResidual);
}
/// Directly, by the pass's own transforms: what is left of the residual is rounding.
void solve_directly(CaseBuilder& c, PoissonBoundary boundary) {
    Grid grid = cube(c, boundary);
    while (!passes::has_small_factors(grid.size.x))
        grid.size -= 2u;
    solve(c, grid, Poisson{.method = passes::PoissonMethod::fft}, kResidual, 1);
}
void solve_cube(CaseBuilder& c, PoissonBoundary boundary) {
    solve(c, cube(c, boundary), Poisson{.max_cycles = kMaxCycles}, kResidual);
}
/// Robin's condition u + du/dn = 0.5 on all sides, by the kernels for cells of any size.
void solve_between_robin_sides(CaseBuilder& c) {
    const Grid grid = cube(c, PoissonBoundary::neumann);
    const auto rhs = c.input<float>("rhs", grid.count(), paired_noise);
    const passes::PoissonSide side{.kind = passes::PoissonSideKind::robin, .value = 0.5f};
    const Poisson solved = c.add(Poisson{.rhs = rhs.buffer,
                                         .size = grid.size,
                                         .x_low = side,
                                         .x_high = side,
                                         .y_low = side,
                                         .y_high = side,
                                         .z_low = side,
                                         .z_high = side,
                                         .max_cycles = kMaxCycles},
                                 "solve");
    c.output("solution", solved.solution);
    c.output("status", solved.status);
    c.set_cost({.bytes = 8.0 * static_cast<double>(grid.count()),
                .operations = 8.0 * static_cast<double>(grid.count())});
    c.check([=](CaseResults& results) -> Verdict {
        const auto got = results.read<float>("solution");
        if (got.size() != grid.count()) return std::unexpected("there is no solution");
        constexpr Walls kRobin{.weight = 2.0 / 3.0, .gain = 0.5 * 2.0 / 3.0}; // 1 / (1/2 + 1)
        const double left = relative_residual(grid, rhs.values(), got, {}, kRobin);
        if (left <= kResidual) return takes_few_cycles(results, kEnoughBetweenSides);
        return std::unexpected(fmt::format("the residual is {:.3g} of the right-hand side", left));
    });
}
/// As the chapter has it: the first cycle may do little.
void solve_as_printed(CaseBuilder& c, passes::PoissonMethod method) {
    constexpr std::uint32_t kPrintedCycles = 6;
    solve(c, cube(c, PoissonBoundary::neumann), Poisson{.method = method, .max_cycles = kMaxCycles},
          kResidual, kPrintedCycles);
}

/// A cube around solid cells.
void solve_around_solids(CaseBuilder& c) {
    const Grid grid = cube(c, PoissonBoundary::neumann);
    const auto kind = [size = grid.size](std::uint64_t i) {
        const glm::dvec3 cell(i % size.x, i / size.x % size.y, i / size.x / size.y);
        return is_solid((cell + 0.5) / glm::dvec3(size)) ? 1u : 0u;
    };
    const auto cells = c.input<std::uint32_t>("cells", grid.count(), kind);
    const auto kinds = cells.values();
    // Both of a pair, or neither: it still adds up to 0.
    const auto rhs = c.input<float>("rhs", grid.count(), [&](std::uint64_t i) {
        return kinds[i] == 0 && kinds[i ^ 1] == 0 ? paired_noise(i) : 0.0f;
    });
    const Poisson solved = c.add(Poisson{.rhs = rhs.buffer,
                                         .cells = cells.buffer,
                                         .size = grid.size,
                                         .method = passes::PoissonMethod::mgpcg},
                                 "solve");
    c.output("solution", solved.solution);
    c.output("status", solved.status);
    c.set_cost({.bytes = 12.0 * static_cast<double>(grid.count()),
                .operations = 8.0 * static_cast<double>(grid.count())});
    c.check([=](CaseResults& results) -> Verdict {
        const auto got = results.read<float>("solution");
        if (got.size() != grid.count()) return std::unexpected("there is no solution");
        const double left = relative_residual(grid, rhs.values(), got, cells.values());
        if (left <= kResidual) return takes_few_cycles(results, kEnoughAroundSolids);
        return std::unexpected(fmt::format("the residual is {:.3g} of the right-hand side", left));
    });
}

/// The same cube by transforms, which need no iteration. Floats leave about as much of a residual.
void transform_cube(CaseBuilder& c, PoissonBoundary boundary) {
    const Grid grid = cube(c, boundary);
    if (!c.device()) return c.skip("there is no device");
    const auto fft = FftPoisson::create(*c.device(), grid.size, boundary);
    if (!fft) return c.skip(fft.error());
    const auto rhs = c.input<float>("rhs", grid.count(), paired_noise);
    c.set_cost({.bytes = 8.0 * static_cast<double>(grid.count()),
                .operations = 8.0 * static_cast<double>(grid.count())});
    c.check<float>("solution", fft->add(c.graph(), rhs.buffer),
                   [=](std::span<const float> got) -> Verdict {
                       const double left = relative_residual(grid, rhs.values(), got);
                       if (left <= kResidual) return {};
                       return std::unexpected(
                           fmt::format("the residual is {:.3g} of the right-hand side", left));
                   });
}

/// Bytes that a V(1,1) cycle moves for a cell: the sweep before the correction reads two arrays and
/// writes one and the coarser grid's right-hand side; the sweep after it reads two and the coarser
/// grid, and writes one. The residual's norm comes with it. On the coarser grids, which have a
/// seventh as many cells, the first one starts from 0.
constexpr double kCycleBytes = 12.5 + 12.5 + (8.5 + 12.5) / 7.0;

void one_cycle(CaseBuilder& c) {
    const Grid grid = cube(c, PoissonBoundary::periodic);
    // Noise is mostly of short waves, which two sweeps take away. The first cycle starts from 0 and
    // reads less: it is the second that is timed.
    solve(c, grid, Poisson{.tolerance = 0.0f, .max_cycles = 2}, 0.03);
    c.time_only("solve/cycle[0]/");
    c.set_cost({.bytes = kCycleBytes * static_cast<double>(grid.count()),
                .operations = 60.0 * static_cast<double>(grid.count())});
}

} // namespace

void add_solver_cases(CaseList& cases) {
    constexpr std::uint64_t kMaxOnSoftware = std::uint64_t{1} << 21;
    const auto add = [&](std::string name, std::function<void(CaseBuilder&)> build) {
        cases.add({.pass = std::string(Poisson::kName),
                   .name = std::move(name),
                   .build = std::move(build),
                   .least = 64,
                   .most_on_software = kMaxOnSoftware});
    };
    add("square to 1e-4", solve_square);
    add("cube neumann to 1e-4", [](CaseBuilder& c) { solve_cube(c, PoissonBoundary::neumann); });
    add("cube periodic to 1e-4", [](CaseBuilder& c) { solve_cube(c, PoissonBoundary::periodic); });
    add("cube between robin sides to 1e-4", solve_between_robin_sides);
    add("cube neumann to 1e-4 by the chapter's V-cycle",
        [](CaseBuilder& c) { solve_as_printed(c, passes::PoissonMethod::printed_v); });
    add("cube neumann to 1e-4 by the chapter's 4W-cycle",
        [](CaseBuilder& c) { solve_as_printed(c, passes::PoissonMethod::printed_4w); });
    add("cube around solids to 1e-4", solve_around_solids);
    add("cube one cycle", one_cycle);
    add("cube neumann by transforms",
        [](CaseBuilder& c) { solve_directly(c, PoissonBoundary::neumann); });
    add("cube periodic by transforms",
        [](CaseBuilder& c) { solve_directly(c, PoissonBoundary::periodic); });
    add("cube neumann by VkFFT",
        [](CaseBuilder& c) { transform_cube(c, PoissonBoundary::neumann); });
    add("cube periodic by VkFFT",
        [](CaseBuilder& c) { transform_cube(c, PoissonBoundary::periodic); });
}

} // namespace tuff::bench
