#include "passes/solver/poisson_cycle.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>
#include <glm/vec4.hpp>

#include <algorithm>
#include <span>

namespace tuff::passes {
namespace {

// As in shaders/solver/coarse.comp.
constexpr std::uint32_t kMaxCoarseSide = 16;
constexpr std::uint64_t kMaxCoarseCells = 1024;
constexpr std::size_t kMaxModes = std::size_t{3} * kMaxCoarseSide * (kMaxCoarseSide + 2);
// As in shaders/solver/coarse_cells.comp.
constexpr std::uint64_t kMaxSmallCells = 1024;
constexpr std::int32_t kSmallSweeps = 32; ///< even: half of them in reverse

// Tiles of shaders/solver/relax.comp.
constexpr glm::uvec2 kVolumeTile(32, 16);
constexpr glm::uvec2 kRowTile(512, 1);
/// With uneven cells cycles converge slower: those through grids of so few are made twice, with
/// more sweeps.
constexpr std::uint64_t kFewCells = 3584;
constexpr std::uint32_t kUnevenSweeps = 2;

// Of tiles of shaders/solver/volume.glsl and picture.glsl.
constexpr std::uint32_t kRegularRim = 4;
constexpr std::uint32_t kPictureSide = 64; ///< with the halo
constexpr std::uint32_t kMaxFusedSweeps = 3;
constexpr std::uint32_t kHaloSlices = 6; ///< steps of a group beside those for its own slices
/// Groups that keep a large device busy.
constexpr std::uint32_t kManyGroups = 1056;
constexpr std::uint32_t kFewestSlices = 8; ///< else the halo is more work than the tile
constexpr std::uint32_t kMaxSlices = 64;

constexpr std::uint32_t kMaxParts = 1024;

// Of shaders/solver/residual_walk.comp.
constexpr std::uint32_t kWalkColumns = 256;
constexpr std::uint32_t kWalkTile = 32; ///< columns along x
constexpr std::uint32_t kLeastWalk = 8;
constexpr std::uint32_t kMaxWalk = 64;

/// Periodic axes of an odd number of cells: along them, two neighbours have one colour.
std::int32_t odd_wraps(const PoissonGrid& grid) {
    return static_cast<std::int32_t>(std::ranges::count_if(
        grid.axes, [](const PoissonAxis& axis) { return axis.wraps && axis.cells % 2 == 1; }));
}

bool is_small(const PoissonGrid& grid) {
    return grid.count() <= kMaxCoarseCells &&
           std::ranges::all_of(
               grid.axes, [](const PoissonAxis& axis) { return axis.cells <= kMaxCoarseSide; });
}

/// How groups of shaders/solver/volume.glsl share out a volume.
struct RegularShape {
    std::uint32_t pairs;         ///< invocations along x, each with two cells
    std::uint32_t strips;        ///< along y, with four
    std::uint32_t at_once;       ///< groups that the device works on
    std::uint32_t fewest_slices; ///< of a group
    glm::uvec2 tile() const { return glm::uvec2(2 * pairs, 4 * strips) - 2 * kRegularRim; }
};

/// Without their rims tiles are 64 cells wide, as sides often are multiples of that. Where there is
/// room the halo is a smaller part of them; a multiprocessor then has registers for one group, and
/// where most have none it is the way through few slices that takes the time.
RegularShape regular_shape(const DeviceCaps& caps) {
    constexpr RegularShape kLarge{.pairs = 36, .strips = 10, .at_once = 132, .fewest_slices = 2};
    constexpr RegularShape kCore{
        .pairs = 36, .strips = 7, .at_once = 264, .fewest_slices = kFewestSlices};
    constexpr std::uint32_t kLargeShared = 48 * 1024;
    const bool large = caps.max_group_invocations >= kLarge.pairs * kLarge.strips &&
                       caps.max_shared_bytes >= kLargeShared;
    return large ? kLarge : kCore;
}

/// Slices of a group's, an even number, with which the groups of all columns take the fewest steps.
std::uint32_t regular_slices(const RegularShape& shape, std::uint32_t cells,
                             std::uint32_t columns) {
    std::uint32_t best = cells;
    std::uint64_t fewest = ~std::uint64_t{0};
    for (std::uint32_t slices = shape.fewest_slices; slices <= cells; slices += 2) {
        const std::uint64_t groups = std::uint64_t{columns} * div_round_up(cells, slices);
        const std::uint64_t turns = div_round_up(groups, shape.at_once);
        if (turns * (slices + kHaloSlices) >= fewest) continue;
        fewest = turns * (slices + kHaloSlices);
        best = slices;
    }
    return best;
}

/// As shaders/solver/coarse.comp has them.
std::vector<glm::vec4> packed_modes(const PoissonGrid& grid) {
    std::vector<glm::vec4> packed(kMaxModes / 4);
    std::size_t at = 0;
    for (const PoissonAxis& axis : grid.axes) {
        const PoissonModes modes = modes_of(axis);
        for (const std::vector<double>* part : {&modes.roots, &modes.eigenvalues, &modes.vectors})
            for (const double value : *part) {
                packed[at / 4][static_cast<int>(at % 4)] = static_cast<float>(value);
                ++at;
            }
    }
    return packed;
}

/// Of a picture's tile for so many sweeps.
std::uint32_t halo_of(std::uint32_t sweeps) {
    return 2 * sweeps + 2;
}

std::uint32_t axis_cells(const PoissonGrid& grid, std::size_t axis) {
    return grid.axes[axis].cells;
}

Buffer weights_array(Graph& graph, const PoissonGrid& grid) {
    return graph.buffer("weights", {.size = grid.count() * 16, .stride = 16});
}

Buffer weighed(Graph& graph, const PoissonGrid& grid, Buffer cells) {
    ComputeNodeBuilder node = graph.compute("solver/weigh");
    node.read("cells", cells);
    set_grid(node, grid);
    const Buffer weights = node.write("result", weights_array(graph, grid));
    node.dispatch_each(grid.count32());
    return weights;
}

} // namespace

std::uint32_t walking_groups(const ComputeNodeBuilder& node, std::uint64_t cells) {
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(div_round_up(cells, node.group_size()[0]), kMaxParts));
}

PoissonCycles::PoissonCycles(Graph& graph, const PoissonGrid& finest, Buffer cells, Sweeps sweeps)
    : PoissonCycles(graph, finest, CellWeights{cells ? weighed(graph, finest, cells) : Buffer{}},
                    sweeps) {}

PoissonCycles::PoissonCycles(Graph& graph, const PoissonGrid& finest, CellWeights weights,
                             Sweeps sweeps)
    : graph_(graph), grids_{finest}, sweeps_(sweeps) {
    if (weights.buffer) {
        while (grids_.back().count() > kMaxSmallCells)
            grids_.push_back(coarsened(grids_.back()));
        coarse_ = grids_.size() - 1;
        weights_.push_back(weights.buffer);
        weigh_coarse_grids();
        return;
    }
    while (!is_small(grids_.back()))
        grids_.push_back(coarsened(grids_.back()));
    coarse_ = grids_.size() - 1;
    modes_ = packed_modes(grids_.back());
}

void PoissonCycles::weigh_coarse_grids() {
    for (std::size_t level = 1; level < grids_.size(); ++level) {
        ComputeNodeBuilder node = graph_.compute("solver/weigh_coarse");
        node.read("weights", weights_.back());
        set_grid(node, grids_[level - 1]);
        set_transfer(node, grids_[level - 1], grids_[level]);
        weights_.push_back(node.write("result", weights_array(graph_, grids_[level])));
        node.dispatch_each(grids_[level].count32());
    }
}

ComputeNodeBuilder PoissonCycles::kernel(std::string_view shader, std::size_t level,
                                         ShaderVariant variant, std::string_view name) {
    variant.set("CELLS", weighted());
    ComputeNodeBuilder node = graph_.compute(fmt::format("solver/{}", shader), variant, name);
    if (weighted()) node.read("weights", weights_[level]);
    set_grid(node, grids_[level]);
    return node;
}

void PoissonCycles::set_right_side(ComputeNodeBuilder& node, std::size_t level, Buffer rhs) {
    node.read("rhs", rhs);
    node.read_optional("status", level == 0 ? status_ : Buffer{});
}

Buffer PoissonCycles::field(std::string_view name, const PoissonGrid& grid) {
    return array(graph_, name, grid.count());
}

Buffer PoissonCycles::sweep(std::size_t level, Buffer rhs, Buffer start, Buffer target,
                            PoissonOrder order, float omega, Buffer coarse) {
    const PoissonGrid& grid = grids_[level];
    const bool flat = grid.is_flat();
    ComputeNodeBuilder node = kernel("relax", level, {{"CORRECTED", bool(coarse)}, {"ROWS", flat}},
                                     coarse ? "correct" : "relax");
    set_right_side(node, level, rhs);
    node.read_optional("source", start);
    if (coarse) {
        node.read("coarse", coarse);
        set_transfer(node, grid, grids_[level + 1]);
    }
    node.set("omega", omega);
    node.set("first_color", order == PoissonOrder::red_first ? 0 : 1);
    const glm::uvec2 tile = flat ? kRowTile : kVolumeTile;
    const std::uint32_t columns = div_round_up(axis_cells(grid, 0), tile.x);
    const std::uint32_t rows = div_round_up(axis_cells(grid, 1), tile.y);
    const std::uint64_t lines = std::uint64_t{axis_cells(grid, 2)} * columns * rows;
    const auto slices = static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(lines / kManyGroups, kFewestSlices, kMaxSlices));
    node.set("slices", static_cast<std::int32_t>(slices));
    const Buffer result = node.write("result", target ? target : field("relaxed", grid));
    node.dispatch(columns, rows, div_round_up(axis_cells(grid, 2), slices));
    return result;
}

Buffer PoissonCycles::restricted(std::size_t level, Buffer rhs, Buffer start) {
    ComputeNodeBuilder node = kernel("restrict", level);
    set_right_side(node, level, rhs);
    node.read_optional("source", start);
    set_transfer(node, grids_[level], grids_[level + 1]);
    const Buffer result = node.write("result", field("restricted", grids_[level + 1]));
    node.dispatch_each(grids_[level + 1].count32());
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
    const PoissonGrid& grid = grids_[coarse_];
    ComputeNodeBuilder node = graph_.compute("solver/coarse");
    set_right_side(node, coarse_, rhs);
    node.read_optional("source", start);
    set_grid(node, grid);
    node.set("modes", std::span<const glm::vec4>(modes_));
    const Buffer result = node.write("result", field("coarse", grid));
    node.dispatch(1);
    return result;
}

bool PoissonCycles::is_uneven(std::size_t level) const {
    return !weighted() && !has_regular(level) && grids_[level].count() <= kFewCells;
}

std::uint32_t PoissonCycles::sweeps_on(std::size_t level, std::uint32_t sweeps) const {
    return is_uneven(level) && sweeps > 0 ? std::max(sweeps, kUnevenSweeps) : sweeps;
}

std::uint32_t PoissonCycles::visits_from(std::size_t level) const {
    if (level + 1 == coarse_) return 1;
    const bool first = is_uneven(level + 1) && !is_uneven(level);
    return first || (level == 0 && is_uneven(level)) ? 2 : sweeps_.corrections;
}

bool PoissonCycles::has_regular(std::size_t level) const {
    return !weighted() && level < coarse_ && is_regular(grids_[level], grids_[level + 1]);
}

std::uint32_t PoissonCycles::fused_sweeps(std::size_t level, std::uint32_t sweeps) const {
    if (!sweeps_.fused || !has_regular(level)) return 0;
    return std::min(sweeps, grids_[level].is_flat() ? kMaxFusedSweeps : 1u);
}

ComputeNodeBuilder PoissonCycles::regular_kernel(Leg leg, std::size_t level, Buffer rhs,
                                                 Buffer start, std::uint32_t sweeps) {
    const PoissonGrid& grid = grids_[level];
    ComputeNodeBuilder node =
        graph_.compute(grid.is_flat() ? "solver/sweep_picture" : "solver/sweep_volume",
                       {{"CORRECTED", leg == Leg::up}}, leg == Leg::up ? "ascend" : "descend");
    set_regular(node, grid);
    set_right_side(node, level, rhs);
    // No branch around what is read, which would cost the sweeps time: zeros come from any array.
    node.read("source", start ? start : rhs);
    node.set("from_zero", start ? 0 : 1);
    if (grid.is_flat()) {
        node.set("sweeps", static_cast<std::int32_t>(sweeps));
        node.set("halo", static_cast<std::int32_t>(halo_of(sweeps)));
    }
    return node;
}

std::uint32_t PoissonCycles::dispatch_regular(ComputeNodeBuilder& node, std::size_t level,
                                              std::uint32_t sweeps) {
    const glm::uvec3 cells(grids_[level].cells());
    if (grids_[level].is_flat()) {
        const std::uint32_t side = kPictureSide - 2 * halo_of(sweeps);
        const glm::uvec2 groups(div_round_up(cells.x, side), div_round_up(cells.z, side));
        node.dispatch(groups.x, groups.y);
        return groups.x * groups.y;
    }
    const RegularShape shape = regular_shape(graph_.target());
    const glm::uvec2 columns(div_round_up(cells.x, shape.tile().x),
                             div_round_up(cells.y, shape.tile().y));
    node.specialize("local_size_x", shape.pairs);
    node.specialize("local_size_y", shape.strips);
    const std::uint32_t slices = regular_slices(shape, cells.z, columns.x * columns.y);
    node.set("slices", static_cast<std::int32_t>(slices));
    const std::uint32_t layers = div_round_up(cells.z, slices);
    node.dispatch(columns.x, columns.y, layers);
    return columns.x * columns.y * layers;
}

PoissonCycles::Descent PoissonCycles::descend(std::size_t level, Buffer rhs, Buffer start) {
    const std::uint32_t sweeps = sweeps_on(level, sweeps_.before);
    const std::uint32_t fused = fused_sweeps(level, sweeps);
    for (std::uint32_t i = fused; i < sweeps; ++i)
        start = sweep(level, rhs, start, {}, PoissonOrder::red_first, sweeps_.omega);
    if (fused == 0) return {start, restricted(level, rhs, start)};
    ComputeNodeBuilder node = regular_kernel(Leg::down, level, rhs, start, fused);
    node.set("omega", sweeps_.omega);
    node.specialize("kFirstColor", 0u);
    const Buffer result = node.write("result", field("relaxed", grids_[level]));
    const Buffer coarse = node.write("restricted", field("restricted", grids_[level + 1]));
    dispatch_regular(node, level, fused);
    return {result, coarse};
}

PoissonCycles::Measured PoissonCycles::ascend(std::size_t level, Buffer rhs, Buffer start,
                                              Buffer coarse, Buffer target) {
    // With no sweep afterwards the correction is still to be made: by a sweep that does nothing.
    const std::uint32_t sweeps = sweeps_on(level, std::max(sweeps_.after, 1u));
    const float omega = sweeps_.after == 0 ? 0.0f : sweeps_.omega;
    const std::uint32_t fused = fused_sweeps(level, sweeps);
    Measured now{.field = start, .partial_sums = {}};
    if (fused > 0) {
        ComputeNodeBuilder node = regular_kernel(Leg::up, level, rhs, start, fused);
        node.read("coarse", coarse);
        node.set("omega", omega);
        node.specialize("kFirstColor", sweeps_.after_order == PoissonOrder::red_first ? 0u : 1u);
        const std::uint32_t groups = dispatch_regular(node, level, fused);
        const Buffer room =
            graph_.buffer("partial_sums", {.size = std::uint64_t{groups} * 16, .stride = 16});
        now.partial_sums = {node.write("partial_sums", room), groups};
        const bool last = fused == sweeps && target;
        now.field = node.write("result", last ? target : field("relaxed", grids_[level]));
    }
    for (std::uint32_t i = fused; i < sweeps; ++i)
        now = {sweep(level, rhs, now.field, i + 1 == sweeps ? target : Buffer{},
                     sweeps_.after_order, omega, i == 0 ? coarse : Buffer{}),
               {}};
    return now;
}

PoissonCycles::Measured PoissonCycles::cycle(std::size_t level, Buffer rhs, Buffer start,
                                             Buffer target) {
    if (level == coarse_) return {coarse_solve(rhs, start), {}};
    graph_.push_scope(fmt::format("grid{}", level));
    const Descent down = descend(level, rhs, start);
    Buffer correction;
    const std::uint32_t visits = visits_from(level);
    for (std::uint32_t i = 0; i < visits; ++i)
        correction = cycle(level + 1, down.coarse_rhs, correction, {}).field;
    // No kernel writes what it reads.
    const std::uint32_t after = sweeps_on(level, std::max(sweeps_.after, 1u));
    if (sweeps_.before == 0 && (after == 1 || fused_sweeps(level, after) == after)) target = {};
    const Measured up = ascend(level, rhs, down.field, correction, target);
    graph_.pop_scope();
    return up;
}

PoissonCycles::Measured PoissonCycles::measured_cycle(Buffer rhs, Buffer start, Buffer target) {
    const Measured now = cycle(0, rhs, start, target);
    return now.partial_sums.count > 0 ? now : Measured{now.field, residual(rhs, now.field)};
}

Buffer PoissonCycles::full(std::size_t level, Buffer rhs, Buffer start) {
    if (level == coarse_) return coarse_solve(rhs, start);
    const Buffer coarse_rhs = restricted(level, rhs, start);
    Buffer coarse = full(level + 1, coarse_rhs, {});
    if (level + 1 != coarse_) coarse = cycle(level + 1, coarse_rhs, coarse, {}).field;
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
        node.dispatch_each(grids_[0].count32());
    }
    return start;
}

PoissonCycles::PartialSums PoissonCycles::parts_of(ComputeNodeBuilder& node) {
    const std::uint32_t number = walking_groups(node, count());
    const Buffer room =
        graph_.buffer("partial_sums", {.size = std::uint64_t{number} * 16, .stride = 16});
    node.dispatch(number);
    return {node.write("partial_sums", room), number};
}

PoissonCycles::PartialSums PoissonCycles::residual_by_walks(Buffer rhs, Buffer solution) {
    const PoissonGrid& grid = grids_[0];
    ComputeNodeBuilder node = graph_.compute("solver/residual_walk", {}, "residual");
    set_grid(node, grid);
    set_right_side(node, 0, rhs);
    node.read("source", solution);
    const std::uint32_t width = grid.is_flat() ? kWalkColumns : kWalkTile;
    const glm::uvec3 cells(grid.cells());
    const glm::uvec2 tiles(div_round_up(cells.x, width),
                           div_round_up(cells.y, kWalkColumns / width));
    const std::uint64_t lines = std::uint64_t{cells.z} * tiles.x * tiles.y;
    const auto walk = static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(lines / kManyGroups, kLeastWalk, kMaxWalk));
    const glm::uvec3 groups(tiles, div_round_up(cells.z, walk));
    node.specialize("tile_width", width);
    node.set("walk", static_cast<std::int32_t>(walk));
    const std::uint32_t count = groups.x * groups.y * groups.z;
    const Buffer partial_sums = node.write(
        "partial_sums",
        graph_.buffer("partial_sums", {.size = std::uint64_t{count} * 16, .stride = 16}));
    node.dispatch(groups.x, groups.y, groups.z);
    return {partial_sums, count};
}

PoissonCycles::PartialSums PoissonCycles::residual(Buffer rhs, Buffer solution) {
    if (!weighted() && axis_cells(grids_[0], 2) >= kLeastWalk)
        return residual_by_walks(rhs, solution);
    ComputeNodeBuilder node = kernel("residual", 0, {{"KEPT", 0}});
    set_right_side(node, 0, rhs);
    node.read("source", solution);
    return parts_of(node);
}

PoissonCycles::Measured PoissonCycles::kept_residual(Buffer rhs, Buffer solution) {
    ComputeNodeBuilder node = kernel("residual", 0, {{"KEPT", 1}}, "residual_kept");
    set_right_side(node, 0, rhs);
    node.read("source", solution);
    const Buffer result = node.write("result", field("residual"));
    return {result, parts_of(node)};
}

PoissonCycles::Measured PoissonCycles::laplace(Buffer source, Buffer image, Buffer residual) {
    ComputeNodeBuilder node = kernel("laplace", 0);
    node.read("source", source);
    node.read("image", image);
    node.read("residual", residual);
    const Buffer result = node.write("result", field("applied"));
    return {result, parts_of(node)};
}

} // namespace tuff::passes
