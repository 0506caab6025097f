#pragma once

#include "passes/lights/lights.hpp"
#include "passes/lights/view.hpp"

#include <tuff/graph.hpp>

namespace tuff::passes {

/// Lights in view space, once for all tiles.
struct PlacedLights {
    Buffer balls;  ///< a vec4 a light: about all that it reaches
    Buffer cones;  ///< two vec4 a light: apex and range; axis and cosine of the half angle
    Buffer status; ///< a `LightStatus`
};

PlacedLights placed_lights(Graph& graph, const Lights& lights, const LightView& view);

/// Reports lights/too-large, and returns false, where so many words for the lists of `grid` are
/// more than a buffer of the device holds.
[[nodiscard]] bool fits_a_buffer(Graph& graph, const LightGrid& grid, std::uint64_t words);

} // namespace tuff::passes
