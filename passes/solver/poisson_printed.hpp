#pragma once

#include "passes/solver/poisson_grid.hpp"

#include <tuff/graph.hpp>

#include <cstdint>
#include <vector>

namespace tuff::passes {

/// Multigrid as its chapter has it, so that what has been changed since can be measured: two sweeps
/// before the correction and four after it, relaxed by 0.75 and 1.25; walls that lag a sweep
/// behind; a correction that is the same in all cells of a coarse one; 32 sweeps by 1.5 on the
/// coarsest grid, whose sides have at most 8 cells. Between walls without flux.
class PrintedCycles {
  public:
    /// `descents` of the second grid in each cycle: 1 is a V-cycle, 4 the chapter's "4W".
    PrintedCycles(Graph& graph, const PoissonGrid& finest, Buffer status, std::uint32_t descents);
    /// One for `rhs`. Works on `solution`, or where all is one small grid, writes another.
    Buffer cycle(Buffer rhs, Buffer solution) { return cycle(0, rhs, solution); }

  private:
    Buffer cycle(std::size_t level, Buffer rhs, Buffer solution);
    Buffer sweeps(std::size_t level, Buffer rhs, Buffer solution, std::uint32_t count, float omega);
    Buffer restricted(std::size_t level, Buffer rhs, Buffer solution);
    Buffer coarse_solve(Buffer rhs, Buffer solution);
    Buffer field(std::size_t level);
    Graph& graph_;
    std::vector<PoissonGrid> grids_; ///< the finest first
    Buffer status_;
    std::uint32_t descents_;
};

} // namespace tuff::passes
