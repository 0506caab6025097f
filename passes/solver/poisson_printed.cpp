#include "passes/solver/poisson_printed.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::passes {
namespace {

// The chapter's numbers.
constexpr std::uint32_t kPrintedSide = 8; // as shaders/solver/printed_coarse.comp has room for
constexpr std::uint32_t kSweepsBefore = 2;
constexpr std::uint32_t kSweepsAfter = 4;
constexpr std::int32_t kCoarsestSweeps = 32;
constexpr float kOmegaBefore = 0.75f;
constexpr float kOmegaAfter = 1.25f;
constexpr float kCoarsestOmega = 1.5f;

bool is_coarsest(const PoissonGrid& grid) {
    return std::ranges::all_of(grid.axes,
                               [](const PoissonAxis& axis) { return axis.cells <= kPrintedSide; });
}

} // namespace

PrintedCycles::PrintedCycles(Graph& graph, const PoissonGrid& finest, Buffer status,
                             std::uint32_t descents)
    : graph_(graph), grids_{finest}, status_(status), descents_(descents) {
    while (!is_coarsest(grids_.back()))
        grids_.push_back(coarsened(grids_.back()));
}

Buffer PrintedCycles::field(std::size_t level) {
    return array(graph_, "printed", grids_[level].count());
}

Buffer PrintedCycles::sweeps(std::size_t level, Buffer rhs, Buffer solution, std::uint32_t count,
                             float omega) {
    const PoissonGrid& grid = grids_[level];
    const glm::ivec3 cells = grid.cells();
    const auto pairs = static_cast<std::uint32_t>((cells.x + 1) / 2 * cells.y * cells.z);
    bool from_zero = !solution;
    if (from_zero) solution = field(level);
    for (std::uint32_t half = 0; half < 2 * count; ++half) {
        ComputeNodeBuilder node =
            graph_.compute("solver/printed_sweep", {{"FROM_ZERO", from_zero ? 1 : 0}}, "relax");
        node.read("rhs", rhs);
        node.read_optional("status", level == 0 ? status_ : Buffer{});
        set_grid(node, grid);
        node.set("omega", omega);
        node.set("color", static_cast<std::int32_t>(half % 2));
        solution = node.write("solution", solution);
        node.dispatch_each(pairs);
        from_zero = false;
    }
    return solution;
}

Buffer PrintedCycles::restricted(std::size_t level, Buffer rhs, Buffer solution) {
    ComputeNodeBuilder node = graph_.compute("solver/restrict", {{"CELLS", 0}});
    node.read("rhs", rhs);
    node.read_optional("status", level == 0 ? status_ : Buffer{});
    node.read_optional("source", solution);
    set_grid(node, grids_[level]);
    set_transfer(node, grids_[level], grids_[level + 1]);
    const Buffer result = node.write("result", field(level + 1));
    node.dispatch_each(grids_[level + 1].count32());
    return result;
}

Buffer PrintedCycles::coarse_solve(Buffer rhs, Buffer solution) {
    ComputeNodeBuilder node = graph_.compute("solver/printed_coarse", "coarse");
    node.read("rhs", rhs);
    node.read_optional("status", grids_.size() == 1 ? status_ : Buffer{});
    node.read_optional("source", solution);
    set_grid(node, grids_.back());
    node.set("omega", kCoarsestOmega);
    node.set("sweeps", kCoarsestSweeps);
    const Buffer result = node.write("result", field(grids_.size() - 1));
    node.dispatch(1);
    return result;
}

Buffer PrintedCycles::cycle(std::size_t level, Buffer rhs, Buffer solution) {
    if (level + 1 == grids_.size()) return coarse_solve(rhs, solution);
    graph_.push_scope(fmt::format("grid{}", level));
    solution = sweeps(level, rhs, solution, kSweepsBefore, kOmegaBefore);
    const Buffer coarse_rhs = restricted(level, rhs, solution);
    Buffer correction;
    for (std::uint32_t i = 0; i < (level == 0 ? descents_ : 1); ++i)
        correction = cycle(level + 1, coarse_rhs, correction);

    ComputeNodeBuilder node = graph_.compute("solver/printed_correct", "correct");
    node.read("coarse", correction);
    const glm::ivec3 fine = grids_[level].cells();
    const glm::ivec3 coarse = grids_[level + 1].cells();
    node.set("cells", fine);
    node.set("coarse_cells", coarse);
    node.set("factor", glm::ivec3(fine.x != coarse.x ? 2 : 1, fine.y != coarse.y ? 2 : 1,
                                  fine.z != coarse.z ? 2 : 1));
    solution = node.write("solution", solution);
    node.dispatch_each(grids_[level].count32());

    solution = sweeps(level, rhs, solution, kSweepsAfter, kOmegaAfter);
    graph_.pop_scope();
    return solution;
}

} // namespace tuff::passes
