#pragma once

#include <tuff/scene.hpp>

#include <cstdint>

/// Procedural closed surfaces: for voxels, shadows and all else that needs an inside.
namespace tuff {

/// A closed tube along a torus knot that winds `windings` times (3 to 8) about the torus's core and
/// once less about its axis, y; 3 makes the (2, 3) knot. 20,000 triangles within [-1, 1]^3, smooth,
/// without texture coordinates. It faces outwards and does not intersect itself.
SceneData make_torus_knot(std::uint32_t windings);

/// A bare tree, 2 high on y = 0: ten levels of branches, each forking into two, 28,000 triangles
/// for every `seed`, which determines its shape, the same on every machine. The last twigs are
/// about a thousandth of its height thick. It is one closed surface that faces outwards, smooth,
/// without texture coordinates; branches may intersect.
SceneData make_tree(std::uint32_t seed);

} // namespace tuff
