#pragma once

#include "passes/lights/lights.hpp"
#include "passes/lights/view.hpp"

#include <tuff/graph.hpp>

namespace tuff::passes {

/// Lights in view space, once for all tiles.
struct PlacedLights {
    Buffer balls; ///< a vec4 each `stride`: about all that a light reaches; then those of a tree
    Buffer cones; ///< two vec4 a light: apex and range; axis and cosine of the half angle
    Buffer bad_counts; ///< lights that shine nowhere, of each of so many groups
    std::uint32_t groups = 1;
    std::uint32_t stride = 1;
};

PlacedLights placed_lights(Graph& graph, const Lights& lights, const LightView& view,
                           std::uint32_t stride = 1);

/// Makes the grid's status what `node` writes.
void write_status(Graph& graph, KernelNode& node, LightGrid& grid, const PlacedLights& placed);
/// Makes `masks` and `summaries` of the grid what `node` writes.
void write_masks(Graph& graph, KernelNode& node, LightGrid& grid);

/// Reports lights/too-large, and returns false, where so many words for the lists of `grid` are
/// more than a buffer of the device holds.
[[nodiscard]] bool fits_a_buffer(Graph& graph, const LightGrid& grid, std::uint64_t words);

} // namespace tuff::passes
