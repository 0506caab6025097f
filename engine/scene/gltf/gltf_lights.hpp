#pragma once

#include "scene/gltf/gltf_document.hpp"

#include <tuff/scene.hpp>

#include <cstddef>
#include <optional>

namespace tuff::gltf {

/// Number of the light that the node carries (KHR_lights_punctual), if any.
std::optional<std::size_t> light_of(const tinygltf::Node& node);

/// The light in its own coordinates: at the origin, shining along -z. Errors: gltf/schema.
Result<SceneLight> read_light(const tinygltf::Model& model, std::size_t index);

} // namespace tuff::gltf
