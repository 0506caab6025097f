#include "passes/mpi/poisson_cycles.hpp"

#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tuff::passes {
namespace {

// Of the halo, relaxed or filled for the sweep after the correction. Each step leaves one cell less
// of the halo than it begins with. Before the correction another cell is relaxed for the residual
// of a coarse cell that reaches beyond the part.
constexpr std::uint32_t kCorrected = 2;
constexpr std::uint32_t kInterpolated =
    2; ///< interpolation takes two coarse cells for two fine ones
/// A sweep from 0 looks at the quotients of cells whose right-hand sides it reads, one of which is
/// the next cell's.
constexpr std::uint32_t kWeightsHalo = PartCycles::kRhsHalo + 1;

/// PoissonCycles has the second axis of pictures along z.
PoissonGrid as_picture(PoissonGrid grid) {
    if (grid.axes[2].cells == 1) std::swap(grid.axes[1], grid.axes[2]);
    return grid;
}

PoissonCycles::Sweeps sweeps(PoissonOrder after_order) {
    return {.omega = kCycleOmega, .after_order = after_order};
}

} // namespace

PartCycles::PartCycles(Graph& graph, const PoissonLevels& levels, Buffer kinds,
                       PoissonOrder after_order)
    : graph_(graph), levels_(levels), after_order_(after_order),
      weights_(kinds ? weights_of(kinds) : std::vector<Buffer>{}),
      last_(graph, as_picture(levels.grid(levels.last())),
            PoissonCycles::CellWeights{kinds ? weights_.back() : Buffer{}}, sweeps(after_order)) {}

std::vector<Buffer> PartCycles::weights_of(Buffer kinds) {
    constexpr std::uint32_t kWords = 4;
    const auto room = [&](std::uint64_t cells) {
        return graph_.buffer("weights",
                             {.size = std::max<std::uint64_t>(cells, 1) * 16, .stride = 16});
    };
    ComputeNodeBuilder finest = graph_.compute("mpi/poisson_weigh");
    finest.read("kinds", kinds);
    set_part(finest, 0);
    const Buffer own = finest.write("result", room(levels_.layout(0).count()));
    dispatch(finest, levels_.layout(0));
    std::vector<Buffer> all{filled(0, own, kWeightsHalo, kWords)};
    for (std::size_t level = 1; level <= levels_.last(); ++level) {
        const PartLayout part = levels_.restricted_layout(level);
        Buffer weights = room(part.count());
        if (part.count() > 0) {
            ComputeNodeBuilder node = graph_.compute("mpi/poisson_weigh_coarse");
            node.read("weights", all.back());
            set_part(node, level - 1);
            set_coarse(node, level - 1, part);
            const bool flat = levels_.grid(level).axes[2].cells == 1;
            node.set("swaps", flat && level == levels_.last() ? 1 : 0);
            weights = node.write("result", weights);
            dispatch(node, part);
        }
        all.push_back(filled(level, gathered(level, weights, kWords), kWeightsHalo, kWords));
    }
    return all;
}

ComputeNodeBuilder PartCycles::kernel(std::string_view shader, std::size_t level,
                                      ShaderVariant variant, std::string_view name) {
    variant.set("CELLS", !weights_.empty());
    ComputeNodeBuilder node = graph_.compute(fmt::format("mpi/{}", shader), variant, name);
    if (!weights_.empty()) node.read("weights", weights_[level]);
    set_part(node, level);
    return node;
}

Buffer PartCycles::field(std::string_view name, std::size_t level) {
    return array(graph_, name, levels_.layout(level).count());
}

void PartCycles::set_part(ComputeNodeBuilder& node, std::size_t level) {
    const PartLayout layout = levels_.layout(level);
    set_grid(node, levels_.grid(level));
    node.set("size", whole_numbers(layout.size()));
    node.set("halo", whole_numbers(layout.halo));
    node.set("first", whole_numbers(layout.first));
}

void PartCycles::set_coarse(ComputeNodeBuilder& node, std::size_t level, const PartLayout& coarse) {
    set_transfer(node, levels_.grid(level), levels_.grid(level + 1));
    node.set("coarse_size", whole_numbers(coarse.size()));
    node.set("coarse_halo", whole_numbers(coarse.halo));
    node.set("coarse_first", whole_numbers(coarse.first));
}

void PartCycles::dispatch(ComputeNodeBuilder& node, const PartLayout& layout) {
    const Cells size = layout.size();
    node.dispatch_over({size[0], size[1], size[2]});
}

Buffer PartCycles::filled(std::size_t level, Buffer array, std::uint32_t width,
                          std::uint32_t words) {
    if (levels_.is_whole(level)) return array;
    const CellArray cells{.buffer = array, .size = levels_.layout(level).size(), .words = words};
    return transfer_boxes(graph_, cells, cells, levels_.halo_boxes(level, width), over_).buffer;
}

Buffer PartCycles::gathered(std::size_t level, Buffer own, std::uint32_t words) {
    if (!levels_.is_whole(level) || levels_.is_whole(level - 1)) return own;
    const PartLayout whole = levels_.layout(level);
    const std::uint64_t bytes = std::uint64_t{4} * words;
    const CellArray from{
        .buffer = own, .size = levels_.restricted_layout(level).size(), .words = words};
    const CellArray to{.buffer =
                           graph_.buffer("gathered", {.size = whole.count() * bytes,
                                                      .stride = static_cast<std::uint32_t>(bytes)}),
                       .size = whole.size(),
                       .words = words};
    return transfer_boxes(graph_, from, to, levels_.gather_boxes(level), over_).buffer;
}

Buffer PartCycles::cycle(Buffer rhs, Buffer start, Buffer target) {
    graph_.push_scope("grid0");
    start = half_sweep(0, rhs, start, {}, kSolutionHalo - 1, 0);
    start = half_sweep(0, rhs, start, {}, kSolutionHalo - 2, 1);
    const Buffer result = corrected(0, rhs, start, target);
    graph_.pop_scope();
    return result;
}

Buffer PartCycles::cycle(std::size_t level, Buffer rhs) {
    if (level == levels_.last()) return last_.cycle(rhs, {}, {});
    graph_.push_scope(fmt::format("grid{}", level));
    if (level > 0) rhs = filled(level, rhs, kRhsHalo);
    ComputeNodeBuilder node = kernel("poisson_relax_zero", level);
    node.read("rhs", rhs);
    node.set("reach", static_cast<std::int32_t>(kCorrected));
    node.set("omega", kCycleOmega);
    const Buffer start = node.write("result", field("relaxed", level));
    dispatch(node, levels_.layout(level));
    const Buffer result = corrected(level, rhs, start, {});
    graph_.pop_scope();
    return result;
}

Buffer PartCycles::corrected(std::size_t level, Buffer rhs, Buffer start, Buffer target) {
    Buffer coarse = cycle(level + 1, restricted(level, rhs, start));
    coarse = filled(level + 1, coarse, kInterpolated);
    ComputeNodeBuilder node = kernel("poisson_correct", level);
    node.read("coarse", coarse);
    set_coarse(node, level, levels_.layout(level + 1));
    node.set("reach", static_cast<std::int32_t>(kCorrected));
    Buffer solution = node.write("solution", start);
    dispatch(node, levels_.layout(level));
    const std::uint32_t first = after_order_ == PoissonOrder::red_first ? 0 : 1;
    solution = half_sweep(level, rhs, solution, {}, kCorrected - 1, first);
    return half_sweep(level, rhs, solution, target, kCorrected - 2, 1 - first);
}

Buffer PartCycles::restricted(std::size_t level, Buffer rhs, Buffer solution) {
    const PartLayout part = levels_.restricted_layout(level + 1);
    Buffer result = array(graph_, "restricted", std::max<std::uint64_t>(part.count(), 1));
    if (part.count() > 0) {
        ComputeNodeBuilder node = kernel("poisson_restrict", level);
        node.read("rhs", rhs);
        node.read("source", solution);
        set_coarse(node, level, part);
        result = node.write("result", result);
        dispatch(node, part);
    }
    return gathered(level + 1, result);
}

Buffer PartCycles::half_sweep(std::size_t level, Buffer rhs, Buffer start, Buffer target,
                              std::uint32_t reach, std::uint32_t color) {
    ComputeNodeBuilder node = kernel("poisson_relax", level);
    node.read("rhs", rhs);
    node.read("source", start);
    node.set("reach", static_cast<std::int32_t>(reach));
    node.set("color", static_cast<std::int32_t>(color));
    node.set("omega", kCycleOmega);
    const Buffer result = node.write("result", target ? target : field("relaxed", level));
    dispatch(node, levels_.layout(level));
    return result;
}

PoissonCycles::PartialSums PartCycles::of_all_ranks(PoissonCycles::PartialSums parts,
                                                    std::uint32_t vectors) {
    ComputeNodeBuilder node = graph_.compute("mpi/sum_parts");
    node.read("partial_sums", parts.buffer);
    node.set("parts", static_cast<std::int32_t>(parts.count));
    node.set("vectors", static_cast<std::int32_t>(vectors));
    const Buffer own = node.write(
        "result", graph_.buffer("own_sums", {.size = std::uint64_t{16} * vectors, .stride = 16}));
    node.dispatch(1);
    const Ranks& ranks = graph_.ranks();
    if (ranks.size() == 1) return {own, 1};
    const CellArray from{.buffer = own, .size = {1, 1, 1}, .words = 4 * vectors};
    const CellArray to{
        .buffer = graph_.buffer("sums",
                                {.size = std::uint64_t{16} * vectors * ranks.size(), .stride = 16}),
        .size = {ranks.size(), 1, 1},
        .words = 4 * vectors};
    std::vector<CellBox> boxes;
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank)
        boxes.push_back({.from = rank, .source = {}, .target = {rank, 0, 0}, .size = {1, 1, 1}});
    return {transfer_boxes(
                graph_, from, to, [&](std::uint32_t) { return boxes; }, over_)
                .buffer,
            ranks.size()};
}

PoissonCycles::PartialSums PartCycles::summed(ComputeNodeBuilder& node) {
    const Cells cells = levels_.layout(0).cells;
    const std::uint32_t groups =
        walking_groups(node, std::uint64_t{cells[0]} * cells[1] * cells[2]);
    const Buffer parts = node.write(
        "partial_sums",
        graph_.buffer("partial_sums", {.size = std::uint64_t{groups} * 16, .stride = 16}));
    node.dispatch(groups);
    return of_all_ranks({parts, groups}, 1);
}

PoissonCycles::PartialSums PartCycles::residual(Buffer rhs, Buffer solution) {
    ComputeNodeBuilder node = kernel("poisson_sums", 0, {{"KEPT", 0}}, "residual");
    node.read("rhs", rhs);
    node.read("source", solution);
    return summed(node);
}

PoissonCycles::Measured PartCycles::kept_residual(Buffer rhs, Buffer solution) {
    ComputeNodeBuilder node = kernel("poisson_sums", 0, {{"KEPT", 1}}, "residual_kept");
    node.read("rhs", rhs);
    node.read("source", solution);
    const Buffer result = node.write("result", field("residual"));
    return {result, summed(node)};
}

PoissonCycles::Measured PartCycles::laplace(Buffer source, Buffer image, Buffer residual) {
    ComputeNodeBuilder node = kernel("poisson_laplace", 0);
    node.read("source", source);
    node.read("image", image);
    node.read("residual", residual);
    const Buffer result = node.write("result", field("applied"));
    return {result, summed(node)};
}

} // namespace tuff::passes
