#pragma once

#include "passes/lights/lights.hpp"

#include <tuff/graph.hpp>

namespace tuff::passes {

/// Binds and sets all that shaders/lights/grid.glsl speaks of. Without a grid all lights are tried.
void bind_grid(KernelNode& node, const Lights& lights, const LightGrid& grid);

/// Reports lights/other-grid, and returns false, unless the lists are of a picture of this size and
/// of so many lights.
[[nodiscard]] bool is_grid_of(Graph& graph, const LightGrid& grid, Extent extent,
                              std::uint32_t lights);

} // namespace tuff::passes
