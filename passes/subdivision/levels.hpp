#pragma once

#include "passes/subdivision/adaptive.hpp"

#include <glm/vec3.hpp>

namespace tuff::passes {

/// From where sizes on the screen are judged.
struct LevelView {
    glm::vec3 eye{0.0f};
    float pixels_of_unit = 1.0f; ///< at distance 1 of perspective cameras
    bool perspective = true;
};

/// Adds the nodes of an adaptive subdivision, whose inputs are sound, and sets its outputs. `limit`
/// is the criterion's, in pixels or radians; `room` is for triangles.
void subdivide_levels(Graph& graph, Subdivide& pass, const LevelView& view, float limit,
                      std::uint32_t room);

} // namespace tuff::passes
