#pragma once

#include "passes/filter/window.hpp"

#include <functional>
#include <optional>

/// Volumes that a device cannot bind whole, or is not meant to, are filtered slab by slab.
namespace tuff::passes {

/// A direct way, for the results of a window.
using FilterInWindow =
    std::function<Buffer(Buffer source, const FilterProblem& problem, const FilterWindow& window)>;

/// How arrays are cut.
struct SlabPlan {
    std::size_t axis = 3;
    std::uint32_t slabs = 1; ///< of each array; 1: the whole is filtered at once
};

/// At least `least` slabs, and as many as it takes to bind the source and the results of one, along
/// the outermost axis where that is possible. Nothing where it is along none.
std::optional<SlabPlan> slab_plan(const DeviceCaps& target, const FilterProblem& problem,
                                  std::uint32_t least);

/// What a part reads, with its halo, is copied, filtered, and its results are copied to their
/// place. They are those of the whole, bit for bit.
Buffer convolve_in_slabs(Graph& graph, Buffer source, const FilterProblem& problem,
                         const SlabPlan& plan, const FilterInWindow& way);

} // namespace tuff::passes
