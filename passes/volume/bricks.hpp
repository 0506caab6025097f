#pragma once

#include "passes/volume/sampled_volume.hpp"

/// Bricks of 8 x 8 x 8 texels of a volume, so that rays step over what shows nothing.
namespace tuff::passes {

/// The least and the greatest number of places in each brick, two floats each: made once where the
/// volume does not change. Filters that apply while looking are left out.
Buffer brick_ranges(Graph& graph, const SampledVolume& volume);

/// How many there are.
std::uint32_t brick_count(const SampledVolume& volume);

} // namespace tuff::passes
