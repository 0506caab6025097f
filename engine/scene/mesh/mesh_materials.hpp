#pragma once

#include <tuff/scene.hpp>

#include <filesystem>

struct aiScene;

namespace tuff {

/// What faces without a material look like: rough, dielectric, of albedo 0.8.
SceneMaterial mesh_material();

/// The materials of an imported mesh, with the textures that lie beside the file in `folder`.
void read_mesh_materials(const aiScene& imported, const std::filesystem::path& folder,
                         SceneData& scene);

} // namespace tuff
