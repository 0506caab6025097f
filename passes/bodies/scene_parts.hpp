#pragma once

#include "passes/bodies/scene.hpp"

/// The parts of bodies/scene. Each adds bodies behind the earlier ones.
namespace tuff::passes {

/// Adds the floor and the bodies of the preset.
void add_preset(const MakeBodies& scene, BodyList& list);

/// Adds listed bodies, then listed joints. Returns false, and reports, if a list is wrong.
[[nodiscard]] bool add_listed(Graph& graph, const MakeBodies& scene, BodyList& list);

/// The device's fields among the bodies: the numbers are not on the host.
struct GroundBodies {
    std::uint32_t heights_first = 0; ///< index of the first vec4 in the geometry
    std::uint32_t field_first = 0;
    std::uint32_t quads = 0; ///< vec4s of the geometry with them; 0: there are none
};

/// Adds the bodies of "heights" and "field", without their numbers. Returns nothing, and reports,
/// if they are wrong.
[[nodiscard]] std::optional<GroundBodies> add_ground(Graph& graph, const MakeBodies& scene,
                                                     BodyList& list);

/// The geometry of `bodies` and behind it the numbers of "heights" and "field".
Buffer ground_geometry(Graph& graph, const MakeBodies& scene, const GroundBodies& ground,
                       Buffer geometry);

} // namespace tuff::passes
