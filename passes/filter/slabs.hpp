#pragma once

#include "passes/filter/window.hpp"

#include <functional>

/// Volumes that a device cannot bind whole, or is not meant to, are filtered slab by slab.
namespace tuff::passes {

/// A direct way, for the results of a window.
using FilterInWindow =
    std::function<Buffer(Buffer source, const FilterProblem& problem, const FilterWindow& window)>;

/// How many slabs it takes to bind the source and the results of one: 1 where they can be bound
/// whole, 0 where a single slice with its halo is too large.
std::uint32_t slabs_needed(const DeviceCaps& target, const FilterProblem& problem);

/// Cuts the outermost axis of each array into `slabs` parts, or as many as it has numbers. What a
/// part reads, with its halo, is copied, filtered, and its results are copied to their place. They
/// are those of the whole, bit for bit.
Buffer convolve_in_slabs(Graph& graph, Buffer source, const FilterProblem& problem,
                         std::uint32_t slabs, const FilterInWindow& way);

} // namespace tuff::passes
