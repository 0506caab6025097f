#pragma once

#include <tuff/scene.hpp>

#include <filesystem>

struct aiScene;

namespace tuff {

/// What assimp has read of a file in `folder`, as a scene: a draw for each mesh of each node.
/// Nothing is taken on trust: positions, indices and numbers are checked.
Result<SceneData> scene_of_import(const aiScene& imported, const std::filesystem::path& folder,
                                  const MeshOptions& options);

} // namespace tuff
