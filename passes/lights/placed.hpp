#pragma once

#include "passes/lights/lights.hpp"
#include "passes/lights/view.hpp"

#include <tuff/graph.hpp>

namespace tuff::passes {

/// The columns and rows of blocks of tiles of a picture.
struct LightStrips {
    std::uint32_t columns = 0; ///< 0: no strips
    std::uint32_t rows = 0;
    std::uint32_t block = 0; ///< side, pixels
    glm::vec2 size{1.0f};    ///< of the picture, pixels
};

/// Lights in view space, computed once for all tiles.
struct PlacedLights {
    Buffer balls; ///< one vec4 each `stride`: bounding sphere of what a light reaches; then those
                  ///< of a tree
    Buffer cones; ///< two vec4 a light: apex and range; axis and cosine of the half angle
    Buffer strips; ///< a mask of lights for each column and then each row, which may reach it
    Buffer bad_counts; ///< lights that emit nothing, one count for each group
    std::uint32_t groups = 1;
    std::uint32_t stride = 1;
};

PlacedLights placed_lights(Graph& graph, const Lights& lights, const LightView& view,
                           std::uint32_t stride = 1, const LightStrips& strips = {});

/// Binds the grid's status as an output of `node`.
void write_status(Graph& graph, KernelNode& node, LightGrid& grid, const PlacedLights& placed);
/// Binds `masks` and `summaries` of the grid as outputs of `node`.
void write_masks(Graph& graph, KernelNode& node, LightGrid& grid);

/// Reports lights/too-large, and returns false, if the lists of `grid` take more words than a
/// buffer of the device holds.
[[nodiscard]] bool fits_a_buffer(Graph& graph, const LightGrid& grid, std::uint64_t words);

} // namespace tuff::passes
