#include "passes/solver/poisson_grid.hpp"

#include <Eigen/Eigenvalues>
#include <glm/vec3.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace tuff::passes {
namespace {

/// Axes whose cells are this much longer than the shortest wait.
constexpr double kMuchLonger = 1.5;

/// That a group walks along z through, of a periodic axis without coming back to one.
constexpr std::uint32_t kFewestGridSlices = 4;

/// What floats of weights are multiples of, so that their sums are exact if none is greater than
/// this. A diagonal that is off by a rounding would be a term of its own in the equation, the same
/// in all cells: on many cells more than what a weakly coupled axis adds.
double quantum_of(double greatest_sum) {
    constexpr int kBits = 23;
    int exponent = 0;
    (void)std::frexp(greatest_sum, &exponent);
    return std::ldexp(1.0, exponent - kBits);
}

/// No coupling is lost.
float multiple_of(double quantum, double weight) {
    if (weight == 0.0) return 0.0f;
    const double times = std::max(std::round(std::abs(weight) / quantum), 1.0);
    return static_cast<float>(std::copysign(times * quantum, weight));
}

double greatest_diagonal(const PoissonGrid& grid) {
    double sum = 0.0;
    for (const PoissonAxis& axis : grid.axes) {
        const PoissonAxis::Weights w = axis.weights();
        sum += std::max({w.low_first, w.low_inner, w.low_last}) +
               std::max({w.high_inner, w.high_before, w.high_last});
    }
    return sum;
}

PoissonEnd end_of(PoissonBoundary axis, const PoissonSide& side) {
    constexpr PoissonEnd kDirichlet{.a = 1.0, .b = 0.0};
    switch (side.kind) {
    case PoissonSideKind::axis:
        return axis == PoissonBoundary::dirichlet ? kDirichlet : PoissonEnd{};
    case PoissonSideKind::dirichlet: return kDirichlet;
    case PoissonSideKind::neumann: break;
    case PoissonSideKind::robin:
        return {.a = static_cast<double>(side.a), .b = static_cast<double>(side.b)};
    }
    return {};
}

/// What the slowest mode turns by from a cell to the next. It is cos(k (x - x0)) on a length L, and
/// at both ends a cos = b k sin: so k L is the sum of both atan(a / (b k)).
double slowest_angle(const PoissonAxis& axis) {
    const double full = std::numbers::pi / axis.cells;
    if (axis.wraps) return 2.0 * full;
    if (!axis.fixes_mean() || axis.low == axis.high) {
        if (axis.low.is_dirichlet() || axis.low.is_neumann()) return full;
    }
    const double length = axis.cells * axis.spacing;
    double below = 0.0;
    double above = std::numbers::pi / length;
    constexpr int kHalvings = 60;
    for (int i = 0; i < kHalvings; ++i) {
        const double k = 0.5 * (below + above);
        const double turn =
            std::atan2(axis.low.a, axis.low.b * k) + std::atan2(axis.high.a, axis.high.b * k);
        (k * length < turn ? below : above) = k;
    }
    return above * axis.spacing;
}

template <typename F>
glm::vec3 each_axis(const PoissonGrid& grid, F&& value) {
    glm::vec3 result;
    for (int a = 0; a < 3; ++a)
        result[a] = static_cast<float>(value(grid.axes[static_cast<std::size_t>(a)]));
    return result;
}
template <typename F>
glm::ivec3 each_axis_whole(const PoissonGrid& grid, F&& value) {
    glm::ivec3 result;
    for (int a = 0; a < 3; ++a)
        result[a] = static_cast<int>(value(grid.axes[static_cast<std::size_t>(a)]));
    return result;
}

} // namespace

PoissonModes modes_of(const PoissonAxis& axis) {
    const std::size_t n = axis.cells;
    PoissonModes modes;
    for (std::size_t i = 0; i < n; ++i)
        modes.roots.push_back(std::sqrt(i + 1 == n ? axis.last_side : axis.side));
    const PoissonAxis::Weights w = axis.weights();
    const auto index = [](std::size_t i) { return static_cast<Eigen::Index>(i); };
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(index(n), index(n));
    for (std::size_t i = 0; i < n; ++i) {
        const double low = i == 0 ? w.low_first : i + 1 == n ? w.low_last : w.low_inner;
        const double high = i + 1 == n ? w.high_last : i + 2 == n ? w.high_before : w.high_inner;
        matrix(index(i), index(i)) += low + high;
        // Each face by the cell above it, of whose equation it is the lower one.
        if (n == 1 || (i == 0 && !axis.wraps)) continue;
        const std::size_t below = (i + n - 1) % n;
        const double coupling = low * modes.roots[i] / modes.roots[below];
        matrix(index(i), index(below)) -= coupling;
        matrix(index(below), index(i)) -= coupling;
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix);
    for (std::size_t i = 0; i < n; ++i) {
        modes.eigenvalues.push_back(solver.eigenvalues()(index(i)));
        for (std::size_t mode = 0; mode < n; ++mode)
            modes.vectors.push_back(solver.eigenvectors()(index(i), index(mode)));
    }
    // Exactly: that of the mean is not divided by.
    if (!axis.fixes_mean()) *std::ranges::min_element(modes.eigenvalues) = 0.0;
    return modes;
}

bool is_regular(const PoissonGrid& grid, const PoissonGrid& coarser) {
    if (!grid.is_flat() && grid.axes[2].cells < kFewestGridSlices) return false;
    for (std::size_t a = 0; a < 3; ++a) {
        const PoissonAxis& axis = grid.axes[a];
        const bool missing = a == 1 && axis.cells == 1;
        if (!missing && (!axis.is_regular() || 2 * coarser.axes[a].cells != axis.cells))
            return false;
    }
    return true;
}

PoissonAxis::Weights PoissonAxis::weights() const {
    const double unit = 1.0 / (spacing * spacing);
    const auto across = [&](double own, double distance) { return unit / (own * distance); };
    // Beyond the end next to a cell of side `own`; at the other end of the axis is `other`.
    const auto end = [&](const PoissonEnd& wall, double own, double other) {
        // A single cell is its own neighbour: nothing flows.
        if (wraps) return cells == 1 ? 0.0 : across(own, 0.5 * (own + other));
        if (wall.is_neumann()) return 0.0;
        if (wall.is_dirichlet()) return across(own, 0.5 * own);
        return across(own, 0.5 * own) * wall.drop(own * spacing);
    };
    const double first = cells == 1 ? last_side : side;
    const double before = 0.5 * (side + last_side);
    return {.low_first = end(low, first, last_side),
            .low_inner = across(side, side),
            .low_last = across(last_side, before),
            .high_inner = across(side, side),
            .high_before = across(side, before),
            .high_last = end(high, last_side, first)};
}

bool PoissonAxis::is_regular() const {
    const bool same_ends = wraps || (low == high && (low.is_dirichlet() || low.is_neumann()));
    return cells % 2 == 0 && side == last_side && same_ends;
}

double PoissonAxis::value_weight(const PoissonEnd& end) const {
    // a (u + ghost) / 2 + b (ghost - u) / h = value; the equation has -ghost / h^2.
    return 1.0 / (spacing * (0.5 * end.a * spacing + end.b));
}

PoissonAxis PoissonAxis::coarsened() const {
    PoissonAxis coarse = *this;
    coarse.cells = (cells + 1) / 2;
    coarse.side = 2.0 * side;
    coarse.last_side = cells % 2 == 1 ? last_side : side + last_side;
    return coarse;
}

std::uint64_t PoissonGrid::count() const {
    return std::uint64_t{axes[0].cells} * axes[1].cells * axes[2].cells;
}

bool PoissonGrid::is_singular() const {
    return std::ranges::none_of(axes, [](const PoissonAxis& axis) { return axis.fixes_mean(); });
}

glm::ivec3 PoissonGrid::cells() const {
    return each_axis_whole(*this, [](const PoissonAxis& axis) { return axis.cells; });
}

PoissonGrid finest_grid(glm::uvec3 size, glm::vec3 spacing, const PoissonBoundaries& boundary,
                        const PoissonSides& sides) {
    PoissonGrid grid;
    const std::array kinds{boundary.x, boundary.y, boundary.z};
    for (int a = 0; a < 3; ++a) {
        PoissonAxis& axis = grid.axes[static_cast<std::size_t>(a)];
        axis.cells = size[a];
        axis.spacing = static_cast<double>(spacing[a]);
        const bool missing = (a == 2 && size.z == 1) || (a == 1 && size.y == 1 && size.z == 1);
        if (missing) continue;
        const auto i = static_cast<std::size_t>(a);
        axis.wraps = kinds[i] == PoissonBoundary::periodic;
        axis.low = end_of(kinds[i], sides[2 * i]);
        axis.high = end_of(kinds[i], sides[2 * i + 1]);
    }
    // Elements are where they were: one of the two axes has a single cell.
    if (size.z == 1) std::swap(grid.axes[1], grid.axes[2]);
    return grid;
}

PoissonGrid coarsened(const PoissonGrid& grid) {
    double shortest = std::numeric_limits<double>::infinity();
    for (const PoissonAxis& axis : grid.axes)
        if (axis.cells > 1) shortest = std::min(shortest, axis.side * axis.spacing);
    PoissonGrid coarse = grid;
    for (PoissonAxis& axis : coarse.axes)
        if (axis.cells > 1 && axis.side * axis.spacing < kMuchLonger * shortest)
            axis = axis.coarsened();
    return coarse;
}

double best_overrelaxation(const PoissonGrid& grid) {
    double all = 0.0;
    double fixed = 0.0; // what modes that vary along Dirichlet axes lose
    double least = std::numeric_limits<double>::infinity();
    for (const PoissonAxis& axis : grid.axes) {
        if (axis.cells == 1 && !axis.fixes_mean()) continue;
        const double coupling = 1.0 / (axis.spacing * axis.spacing);
        const double loss = coupling * (1.0 - std::cos(slowest_angle(axis)));
        all += coupling;
        if (axis.fixes_mean()) fixed += loss;
        least = std::min(least, loss);
    }
    if (all == 0.0) return 1.0;
    const double rho = 1.0 - (fixed > 0.0 ? fixed : least) / all;
    return 2.0 / (1.0 + std::sqrt(std::max(1.0 - rho * rho, 0.0)));
}

void set_grid(KernelNode& node, const PoissonGrid& grid) {
    using Axis = PoissonAxis;
    node.set("cells", grid.cells());
    node.set("wraps", each_axis_whole(grid, [](const Axis& axis) { return axis.wraps; }));
    const double quantum = quantum_of(greatest_diagonal(grid));
    const auto set = [&](std::string_view member, double Axis::Weights::*weight) {
        node.set(member, each_axis(grid, [&](const Axis& axis) {
                     return multiple_of(quantum, axis.weights().*weight);
                 }));
    };
    set("low_first", &Axis::Weights::low_first);
    set("low_inner", &Axis::Weights::low_inner);
    set("low_last", &Axis::Weights::low_last);
    set("high_inner", &Axis::Weights::high_inner);
    set("high_before", &Axis::Weights::high_before);
    set("high_last", &Axis::Weights::high_last);
}

void set_transfer(KernelNode& node, const PoissonGrid& fine, const PoissonGrid& coarse) {
    using Axis = PoissonAxis;
    node.set("coarse_cells", coarse.cells());
    glm::ivec3 factor(1);
    for (int a = 0; a < 3; ++a) {
        const auto i = static_cast<std::size_t>(a);
        if (coarse.axes[i].cells != fine.axes[i].cells) factor[a] = 2;
    }
    node.set("factor", factor);
    // Of the coarse cells, of whose solutions the correction is.
    node.set("low_drop", each_axis(coarse, [](const Axis& axis) {
                 return axis.low.drop((axis.cells == 1 ? axis.last_side : axis.side) *
                                      axis.spacing);
             }));
    node.set("high_drop", each_axis(coarse, [](const Axis& axis) {
                 return axis.high.drop(axis.last_side * axis.spacing);
             }));
    const auto side = [](const Axis& axis) { return axis.side; };
    const auto last = [](const Axis& axis) { return axis.last_side; };
    node.set("side", each_axis(fine, side));
    node.set("last_side", each_axis(fine, last));
    node.set("coarse_side", each_axis(coarse, side));
    node.set("coarse_last", each_axis(coarse, last));
}

void set_regular(KernelNode& node, const PoissonGrid& grid) {
    // Pictures have their second axis along z.
    const std::array<std::size_t, 3> order =
        grid.is_flat() ? std::array<std::size_t, 3>{0, 2, 1} : std::array<std::size_t, 3>{0, 1, 2};
    const double unit = grid.axes[0].weights().high_inner;
    const double quantum = quantum_of(greatest_diagonal(grid) / unit);
    const auto in_units = [&](double weight) { return multiple_of(quantum, weight / unit); };
    glm::ivec3 cells;
    glm::ivec3 wraps;
    glm::vec3 coupling;
    glm::vec3 loss;
    glm::vec3 mirror;
    double diagonal = 0.0;
    for (int a = 0; a < 3; ++a) {
        const PoissonAxis& axis = grid.axes[order[static_cast<std::size_t>(a)]];
        const PoissonAxis::Weights w = axis.weights();
        const bool wrapping = axis.wraps;
        cells[a] = static_cast<int>(axis.cells);
        wraps[a] = wrapping;
        coupling[a] = axis.cells == 1 ? 0.0f : in_units(w.high_inner);
        loss[a] = wrapping ? 0.0f : in_units(w.high_inner - w.high_last);
        mirror[a] = axis.fixes_mean() ? -1.0f : 1.0f;
        diagonal += axis.cells == 1
                        ? static_cast<double>(in_units(w.low_first) + in_units(w.high_last))
                        : 2.0 * static_cast<double>(coupling[a]);
    }
    node.set("cells", cells);
    node.set("wraps", wraps);
    node.set("coupling", coupling);
    node.set("loss", loss);
    node.set("mirror", mirror);
    node.set("diagonal", static_cast<float>(diagonal));
    node.set("unit", static_cast<float>(1.0 / unit));
    node.set("per_unit", static_cast<float>(unit));
}

} // namespace tuff::passes
