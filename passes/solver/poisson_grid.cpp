#include "passes/solver/poisson_grid.hpp"

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

PoissonAxis::Weights PoissonAxis::weights() const {
    const double unit = 1.0 / (spacing * spacing);
    const auto across = [&](double own, double distance) { return unit / (own * distance); };
    // Beyond the end next to a cell of side `own`; at the other end of the axis is `other`.
    const auto end = [&](double own, double other) {
        switch (boundary) {
        case PoissonBoundary::dirichlet: return across(own, 0.5 * own);
        case PoissonBoundary::periodic: return across(own, 0.5 * (own + other));
        case PoissonBoundary::neumann: break;
        }
        return 0.0;
    };
    const double first = cells == 1 ? last_side : side;
    const double before = 0.5 * (side + last_side);
    return {.low_first = end(first, last_side),
            .low_inner = across(side, side),
            .low_last = across(last_side, before),
            .high_inner = across(side, side),
            .high_before = across(side, before),
            .high_last = end(last_side, first)};
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
    return std::ranges::none_of(
        axes, [](const PoissonAxis& axis) { return axis.boundary == PoissonBoundary::dirichlet; });
}

glm::ivec3 PoissonGrid::cells() const {
    return each_axis_whole(*this, [](const PoissonAxis& axis) { return axis.cells; });
}

PoissonGrid finest_grid(glm::uvec3 size, glm::vec3 spacing, const PoissonBoundaries& boundary) {
    PoissonGrid grid;
    const std::array kinds{boundary.x, boundary.y, boundary.z};
    for (int a = 0; a < 3; ++a) {
        PoissonAxis& axis = grid.axes[static_cast<std::size_t>(a)];
        axis.cells = size[a];
        axis.spacing = static_cast<double>(spacing[a]);
        const bool missing = (a == 2 && size.z == 1) || (a == 1 && size.y == 1 && size.z == 1);
        axis.boundary = missing ? PoissonBoundary::neumann : kinds[static_cast<std::size_t>(a)];
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
        if (axis.cells == 1 && axis.boundary != PoissonBoundary::dirichlet) continue;
        const double coupling = 1.0 / (axis.spacing * axis.spacing);
        const double waves = axis.boundary == PoissonBoundary::periodic ? 2.0 : 1.0;
        const double loss = coupling * (1.0 - std::cos(waves * std::numbers::pi / axis.cells));
        all += coupling;
        if (axis.boundary == PoissonBoundary::dirichlet) fixed += loss;
        least = std::min(least, loss);
    }
    if (all == 0.0) return 1.0;
    const double rho = 1.0 - (fixed > 0.0 ? fixed : least) / all;
    return 2.0 / (1.0 + std::sqrt(std::max(1.0 - rho * rho, 0.0)));
}

void set_grid(KernelNode& node, const PoissonGrid& grid) {
    using Axis = PoissonAxis;
    node.set("cells", grid.cells());
    node.set("wraps", each_axis_whole(grid, [](const Axis& axis) {
                 return axis.boundary == PoissonBoundary::periodic;
             }));
    const auto set = [&](std::string_view member, double Axis::Weights::*weight) {
        node.set(member, each_axis(grid, [&](const Axis& axis) { return axis.weights().*weight; }));
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
    node.set("fixed_walls", each_axis_whole(fine, [](const Axis& axis) {
                 return axis.boundary == PoissonBoundary::dirichlet;
             }));
    const auto side = [](const Axis& axis) { return axis.side; };
    const auto last = [](const Axis& axis) { return axis.last_side; };
    node.set("side", each_axis(fine, side));
    node.set("last_side", each_axis(fine, last));
    node.set("coarse_side", each_axis(coarse, side));
    node.set("coarse_last", each_axis(coarse, last));
}

} // namespace tuff::passes
