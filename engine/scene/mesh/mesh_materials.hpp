#pragma once

#include <tuff/scene.hpp>

#include <filesystem>
#include <span>

struct aiScene;

namespace tuff {

/// What faces without a material look like: rough, dielectric, of albedo 0.8.
SceneMaterial mesh_material();

/// The materials of an imported mesh, with the textures that lie beside the file in `folder`.
/// Error: asset/outside, where one does not lie within `confined_to` (empty: anywhere).
Result<void> read_mesh_materials(const aiScene& imported, const std::filesystem::path& folder,
                                 std::span<const std::filesystem::path> confined_to,
                                 SceneData& scene);

} // namespace tuff
