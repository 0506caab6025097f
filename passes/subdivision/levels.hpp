#pragma once

#include "passes/subdivision/adaptive.hpp"

#include <glm/vec3.hpp>

namespace tuff::passes {

/// The view for screen-space criteria.
struct LevelView {
    glm::vec3 eye{0.0f};
    float pixels_of_unit = 1.0f; ///< at distance 1 of perspective cameras
    bool perspective = true;
};

/// Adds the nodes of an adaptive subdivision with valid inputs, and sets its outputs. `limit` is
/// that of the criterion, in pixels or radians; `room` is the capacity in triangles.
void subdivide_levels(Graph& graph, Subdivide& pass, const LevelView& view, float limit,
                      std::uint32_t room);

} // namespace tuff::passes
