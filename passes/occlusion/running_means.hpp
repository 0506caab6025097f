#pragma once

#include "passes/occlusion/levels.hpp"

namespace tuff::passes {

/// Means of 16-bit integers over all cubes of one width, by running sums along x, y and z: each
/// takes as long for wide cubes as for narrow ones. They are rounded to the nearest once along each
/// axis.

/// Whether a level is made like this: one of `n_buffer` in `unorm16`, if what is in between fits.
[[nodiscard]] bool can_run(const Graph& graph, Image opacity, const OcclusionLevels& planned,
                           const LevelParameters& parameters);
/// Level `number`, at least 1, as a volume of r16_unorm.
Image running_means(Graph& graph, Image opacity, std::uint32_t number, OcclusionBorder border);

} // namespace tuff::passes
