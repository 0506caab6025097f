#pragma once

#include <tuff/scene.hpp>

#include <tiny_gltf.h>

namespace tuff::gltf {

/// Reads all materials, and of the textures and images those that a material uses, into `scene`.
/// Material i of the file is material i of the scene. Errors: gltf/texture, gltf/schema.
Result<void> read_materials(const tinygltf::Model& model, SceneData& scene);

} // namespace tuff::gltf
