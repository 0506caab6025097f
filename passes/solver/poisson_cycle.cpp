#include "passes/solver/poisson_cycle.hpp"

#include "passes/primitives/elements.hpp"

#include <fmt/format.h>
#include <glm/vec4.hpp>

#include <algorithm>
#include <array>
#include <span>

namespace tuff::passes {
namespace {

// As in shaders/solver/coarse.comp.
constexpr std::size_t kMostCoarseGrids = 12;
constexpr std::uint64_t kMostCoarseCells = 3584;
constexpr std::int32_t kCoarseCycles = 2; ///< leave less of an error than the cycle around them
// As in shaders/solver/coarse_cells.comp.
constexpr std::uint64_t kMostSmallCells = 1024;
constexpr std::int32_t kSmallSweeps = 32; ///< even: half of them in reverse

// Tiles of shaders/solver/relax.comp and relax_rows.comp.
constexpr glm::uvec2 kVolumeTile(32, 16);
constexpr glm::uvec2 kRowTile(512, 1);
/// Groups that keep a large device busy.
constexpr std::uint32_t kManyGroups = 1056;
constexpr std::uint32_t kFewestSlices = 8; ///< else the rim is more work than the tile
constexpr std::uint32_t kMostSlices = 64;

constexpr std::uint32_t kMostParts = 1024;
constexpr std::uint32_t kGroupSize = 256;

std::uint32_t divided_up(std::uint32_t n, std::uint32_t by) {
    return (n + by - 1) / by;
}

/// Periodic axes of an odd number of cells: along them, two neighbours have one colour.
std::int32_t odd_wraps(const PoissonGrid& grid) {
    return static_cast<std::int32_t>(std::ranges::count_if(grid.axes, [](const PoissonAxis& axis) {
        return axis.boundary == PoissonBoundary::periodic && axis.cells % 2 == 1;
    }));
}

std::uint32_t axis_cells(const PoissonGrid& grid, std::size_t axis) {
    return grid.axes[axis].cells;
}

} // namespace

PoissonCycles::PoissonCycles(Graph& graph, const PoissonGrid& finest, Buffer cells, Sweeps sweeps)
    : graph_(graph), grids_{finest}, sweeps_(sweeps) {
    if (cells) {
        while (grids_.back().count() > kMostSmallCells)
            grids_.push_back(coarsened(grids_.back()));
        coarse_ = grids_.size() - 1;
        weigh(cells);
        return;
    }
    while (grids_.back().count() > 1)
        grids_.push_back(coarsened(grids_.back()));
    std::uint64_t count = 0;
    coarse_ = grids_.size();
    while (coarse_ > 0 && count + grids_[coarse_ - 1].count() <= kMostCoarseCells)
        count += grids_[--coarse_].count();
    if (grids_.size() - coarse_ > kMostCoarseGrids) grids_.resize(coarse_ + kMostCoarseGrids);
}

void PoissonCycles::weigh(Buffer cells) {
    const auto room = [&](const PoissonGrid& grid) {
        return graph_.buffer("weights", {.size = grid.count() * 16, .stride = 16});
    };
    ComputeNodeBuilder finest = graph_.compute("solver/weigh");
    finest.read("cells", cells);
    set_grid(finest, grids_[0]);
    Buffer weights = finest.write("result", room(grids_[0]));
    dispatch_each(finest, grids_[0].count(), kGroupSize);
    weights_.push_back(weights);
    for (std::size_t level = 1; level < grids_.size(); ++level) {
        ComputeNodeBuilder node = graph_.compute("solver/weigh_coarse");
        node.read("weights", weights);
        set_grid(node, grids_[level - 1]);
        set_transfer(node, grids_[level - 1], grids_[level]);
        weights = node.write("result", room(grids_[level]));
        dispatch_each(node, grids_[level].count(), kGroupSize);
        weights_.push_back(weights);
    }
}

ComputeNodeBuilder PoissonCycles::kernel(std::string_view shader, std::size_t level) {
    ComputeNodeBuilder node =
        graph_.compute(fmt::format("solver/{}{}", shader, weighted() ? "_cells" : ""));
    if (weighted()) node.read("weights", weights_[level]);
    set_grid(node, grids_[level]);
    return node;
}

void PoissonCycles::set_right_side(ComputeNodeBuilder& node, std::size_t level, Buffer rhs) {
    node.read("rhs", rhs);
    node.read("status", status_ ? status_ : rhs);
    node.set("shift", level == 0 && status_ ? 1.0f : 0.0f);
}

Buffer PoissonCycles::field(std::string_view name, const PoissonGrid& grid) {
    return array(graph_, name, grid.count());
}

Buffer PoissonCycles::sweep(std::size_t level, Buffer rhs, Buffer start, Buffer target,
                            PoissonOrder order, float omega, Buffer coarse) {
    const PoissonGrid& grid = grids_[level];
    const bool flat = grid.is_flat();
    ComputeNodeBuilder node = kernel(
        coarse ? (flat ? "correct_rows" : "correct") : (flat ? "relax_rows" : "relax"), level);
    set_right_side(node, level, rhs);
    node.read("source", start ? start : rhs);
    if (coarse) {
        node.read("coarse", coarse);
        set_transfer(node, grid, grids_[level + 1]);
    }
    node.set("omega", omega);
    node.set("first_color", order == PoissonOrder::red_first ? 0 : 1);
    node.set("from_zero", start ? 0 : 1);
    const glm::uvec2 tile = flat ? kRowTile : kVolumeTile;
    const std::uint32_t columns = divided_up(axis_cells(grid, 0), tile.x);
    const std::uint32_t rows = divided_up(axis_cells(grid, 1), tile.y);
    const std::uint64_t lines = std::uint64_t{axis_cells(grid, 2)} * columns * rows;
    const auto slices = static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(lines / kManyGroups, kFewestSlices, kMostSlices));
    node.set("slices", static_cast<std::int32_t>(slices));
    const Buffer result = node.write("result", target ? target : field("relaxed", grid));
    node.dispatch(columns, rows, divided_up(axis_cells(grid, 2), slices));
    return result;
}

Buffer PoissonCycles::restricted(std::size_t level, Buffer rhs, Buffer start) {
    ComputeNodeBuilder node = kernel("restrict", level);
    set_right_side(node, level, rhs);
    node.read("source", start ? start : rhs);
    set_transfer(node, grids_[level], grids_[level + 1]);
    node.set("from_zero", start ? 0 : 1);
    const Buffer result = node.write("result", field("restricted", grids_[level + 1]));
    dispatch_each(node, grids_[level + 1].count(), kGroupSize);
    return result;
}

Buffer PoissonCycles::small_solve(Buffer rhs) {
    ComputeNodeBuilder node = graph_.compute("solver/coarse_cells");
    node.read("rhs", rhs);
    node.read("weights", weights_[coarse_]);
    set_grid(node, grids_[coarse_]);
    node.set("sweeps", kSmallSweeps);
    node.set("colors", 2 * (1 + odd_wraps(grids_[coarse_])));
    node.set("omega", sweeps_.omega);
    const Buffer result = node.write("result", field("coarse", grids_[coarse_]));
    node.dispatch(1);
    return result;
}

Buffer PoissonCycles::coarse_solve(Buffer rhs, Buffer start) {
    if (weighted()) return small_solve(rhs);
    ComputeNodeBuilder node = graph_.compute("solver/coarse");
    set_right_side(node, coarse_, rhs);
    node.read("source", start ? start : rhs);
    const std::size_t grids = grids_.size() - coarse_;
    std::array<glm::ivec4, kMostCoarseGrids> cells{};
    std::array<glm::ivec4, kMostCoarseGrids> factors{};
    std::array<std::array<glm::vec4, kMostCoarseGrids>, 8> numbers{};
    std::int32_t base = 0;
    glm::ivec4 wraps(0);
    glm::ivec4 walls(0);
    std::int32_t most_odd = 0;
    for (std::size_t g = 0; g < grids; ++g) {
        const PoissonGrid& grid = grids_[coarse_ + g];
        cells[g] = glm::ivec4(grid.cells(), base);
        base += static_cast<std::int32_t>(grid.count());
        most_odd = std::max(most_odd, odd_wraps(grid));
        for (int a = 0; a < 3; ++a) {
            const PoissonAxis& axis = grid.axes[static_cast<std::size_t>(a)];
            const PoissonAxis::Weights w = axis.weights();
            const std::array values{w.low_first,   w.low_inner, w.low_last, w.high_inner,
                                    w.high_before, w.high_last, axis.side,  axis.last_side};
            for (std::size_t v = 0; v < values.size(); ++v)
                numbers[v][g][a] = static_cast<float>(values[v]);
            const bool wrapping = axis.boundary == PoissonBoundary::periodic;
            wraps[a] = wrapping;
            walls[a] = axis.boundary == PoissonBoundary::dirichlet;
            const std::size_t next = std::min(coarse_ + g + 1, grids_.size() - 1);
            factors[g][a] =
                axis_cells(grids_[next], static_cast<std::size_t>(a)) != axis.cells ? 2 : 1;
        }
    }
    node.set("cells", std::span<const glm::ivec4>(cells));
    node.set("factor", std::span<const glm::ivec4>(factors));
    constexpr std::array<std::string_view, 8> kNames{"low_first",  "low_inner",   "low_last",
                                                     "high_inner", "high_before", "high_last",
                                                     "side",       "last_side"};
    for (std::size_t v = 0; v < kNames.size(); ++v)
        node.set(kNames[v], std::span<const glm::vec4>(numbers[v]));
    node.set("wraps", wraps);
    node.set("fixed_walls", walls);
    node.set("grids", static_cast<std::int32_t>(grids));
    node.set("cycles", kCoarseCycles);
    node.set("from_zero", start ? 0 : 1);
    node.set("colors", 2 * (1 + most_odd));
    node.set("omega", sweeps_.omega);
    const Buffer result = node.write("result", field("coarse", grids_[coarse_]));
    node.dispatch(1);
    return result;
}

Buffer PoissonCycles::cycle(std::size_t level, Buffer rhs, Buffer start, Buffer target) {
    if (level == coarse_) return coarse_solve(rhs, start);
    const std::uint32_t after = std::max(sweeps_.after, 1u);
    // With no sweep afterwards the correction is still to be made: by a sweep that does nothing.
    const float last_omega = sweeps_.after == 0 ? 0.0f : sweeps_.omega;
    if (sweeps_.before + after < 2 && start) target = {};
    graph_.push_scope(fmt::format("grid{}", level));
    Buffer v = start;
    for (std::uint32_t i = 0; i < sweeps_.before; ++i)
        v = sweep(level, rhs, v, {}, PoissonOrder::red_first, sweeps_.omega);
    const Buffer coarse_rhs = restricted(level, rhs, v);
    Buffer correction;
    const std::uint32_t visits = level + 1 == coarse_ ? 1 : sweeps_.corrections;
    for (std::uint32_t i = 0; i < visits; ++i)
        correction = cycle(level + 1, coarse_rhs, correction, {});
    for (std::uint32_t i = 0; i < after; ++i)
        v = sweep(level, rhs, v, i + 1 == after ? target : Buffer{}, sweeps_.after_order,
                  last_omega, i == 0 ? correction : Buffer{});
    graph_.pop_scope();
    return v;
}

Buffer PoissonCycles::full(std::size_t level, Buffer rhs, Buffer start) {
    if (level == coarse_) return coarse_solve(rhs, start);
    const Buffer coarse_rhs = restricted(level, rhs, start);
    Buffer coarse = full(level + 1, coarse_rhs, {});
    if (level + 1 != coarse_) coarse = cycle(level + 1, coarse_rhs, coarse, {});
    return sweep(level, rhs, start, {}, PoissonOrder::red_first, sweeps_.omega, coarse);
}

Buffer PoissonCycles::relax(Buffer rhs, Buffer start, Buffer target, std::uint32_t sweeps,
                            float omega) {
    if (sweeps < 2) target = {};
    for (std::uint32_t i = 0; i < sweeps; ++i)
        start = sweep(0, rhs, start, i + 1 == sweeps ? target : Buffer{}, PoissonOrder::red_first,
                      omega);
    return start;
}

Buffer PoissonCycles::jacobi(Buffer rhs, Buffer start, Buffer target, std::uint32_t sweeps,
                             float omega) {
    for (std::uint32_t i = 0; i < sweeps; ++i) {
        ComputeNodeBuilder node = kernel("jacobi", 0);
        set_right_side(node, 0, rhs);
        node.read("source", start);
        node.set("omega", omega);
        const bool last = i + 1 == sweeps && sweeps > 1;
        start = node.write("result", last && target ? target : field("relaxed", grids_[0]));
        dispatch_each(node, grids_[0].count(), kGroupSize);
    }
    return start;
}

PoissonCycles::Parts PoissonCycles::parts_of(ComputeNodeBuilder& node) {
    const std::uint64_t groups = (count() + kGroupSize - 1) / kGroupSize;
    const auto number = static_cast<std::uint32_t>(std::min<std::uint64_t>(groups, kMostParts));
    const Buffer room = graph_.buffer("parts", {.size = std::uint64_t{number} * 16, .stride = 16});
    node.dispatch(number);
    return {node.write("parts", room), number};
}

PoissonCycles::Parts PoissonCycles::residual(Buffer rhs, Buffer solution) {
    ComputeNodeBuilder node = kernel("residual", 0);
    set_right_side(node, 0, rhs);
    node.read("source", solution);
    return parts_of(node);
}

PoissonCycles::Kept PoissonCycles::kept_residual(Buffer rhs, Buffer solution) {
    ComputeNodeBuilder node = kernel("residual_kept", 0);
    set_right_side(node, 0, rhs);
    node.read("source", solution);
    const Buffer result = node.write("result", field("residual"));
    return {result, parts_of(node)};
}

PoissonCycles::Kept PoissonCycles::laplace(Buffer source, Buffer target) {
    ComputeNodeBuilder node = kernel("laplace", 0);
    node.read("source", source);
    const Buffer result = node.write("result", target);
    return {result, parts_of(node)};
}

} // namespace tuff::passes
