#pragma once

#include "passes/volume/seen.hpp"

/// Bricks of 8 x 8 x 8 texels of a volume, so that rays step over what shows nothing.
namespace tuff::passes {

/// The least and the greatest number of places in each brick, two floats each: made once where the
/// volume does not change. Filters that apply while looking are left out.
Buffer brick_ranges(Graph& graph, const SeenVolume& volume);

/// How many there are.
std::uint32_t brick_count(const SeenVolume& volume);

} // namespace tuff::passes
