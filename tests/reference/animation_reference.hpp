#pragma once

#include "tests/common/animated_model.hpp"

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <string>
#include <vector>

namespace tuff::test {

/// A clip at a time of its own.
struct ClipMoment {
    std::string clip; ///< empty: all is at rest
    double time = 0.0;
};

/// The vertices of a node's mesh in the world.
struct PlacedMesh {
    int node = 0;
    std::vector<glm::dvec3> positions;
    std::vector<glm::dvec3> normals;  ///< of length 1
    std::vector<glm::dvec4> tangents; ///< of length 1; w: the sign of the bitangent
};

/// All meshes of a model, in the order in which a walk from the roots, children by number, meets
/// their nodes: glTF 2.0 sections 3.7.2 and 3.7.3 and appendix C, in double precision. `share` is
/// that of `second`.
std::vector<PlacedMesh> pose_model(const AnimatedModel& model, const ClipMoment& first,
                                   const ClipMoment& second = {}, double share = 0.0);

/// The transforms of all nodes to the world, by number.
std::vector<glm::dmat4> pose_nodes(const AnimatedModel& model, const ClipMoment& first,
                                   const ClipMoment& second = {}, double share = 0.0);

} // namespace tuff::test
