#pragma once

#include "passes/lights/lights.hpp"

#include <tuff/graph.hpp>

namespace tuff::passes {

/// Binds the resources and sets the parameters of shaders/lights/grid.glsl. Without a grid all
/// lights are tried.
void bind_grid(KernelNode& node, const Lights& lights, const LightGrid& grid);

/// Checks that the lists are for a picture of this size and this number of lights. If not, reports
/// lights/other-grid and returns false.
[[nodiscard]] bool is_grid_of(Graph& graph, const LightGrid& grid, Extent extent,
                              std::uint32_t lights);

} // namespace tuff::passes
