#pragma once

#include "passes/mpi/parts.hpp"

#include <tuff/graph.hpp>

#include <functional>
#include <string_view>
#include <vector>

/// Work on fields that ranks have in parts, as `tuff bench ranks` measures it.
namespace tuff::bench {

struct RankCase {
    std::string_view name;
    std::string_view step;        ///< what `steps` of are in an execution
    std::uint32_t axes = 2;       ///< of the field
    std::uint32_t steps = 1;      ///< of an execution
    std::uint64_t most_cells = 0; ///< of a rank
    /// Adds the work on a field of so many cells. Returns the whole result on rank 0, if wanted and
    /// if it is to have the same bits for any number of ranks.
    std::function<Buffer(Graph&, const passes::Cells&, bool whole)> build;
};

std::vector<RankCase> rank_cases();

} // namespace tuff::bench
