#pragma once

#include "scene/mesh/geometry.hpp"

#include <tuff/scene.hpp>

#include <string>

namespace tuff {

/// A scene of one mesh and one draw, called `name`, of the material that faces without one have.
SceneData made_scene(Geometry geometry, const std::string& name);

/// The same of vertices that are positions only, shared by triangles: smooth, without texture
/// coordinates.
SceneData made_smooth_scene(Geometry geometry, const std::string& name);

} // namespace tuff
