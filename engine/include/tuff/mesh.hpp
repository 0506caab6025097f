#pragma once

#include <tuff/diagnostic.hpp>

#include <glm/vec3.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

/// Writes triangle meshes to files. `load_scene` reads them.
namespace tuff {

/// A triangle mesh.
struct HostMesh {
    std::vector<glm::vec3> positions;                    ///< of vertices
    std::vector<glm::vec3> normals;                      ///< of vertices; empty: none
    std::vector<std::array<std::uint32_t, 3>> triangles; ///< vertices, counter-clockwise
};

/// Words before the positions of a packed mesh: 0x6853654d, the numbers of vertices and triangles,
/// the first words of normals (0: none) and of indices, and three zeros.
inline constexpr std::uint64_t kPackedMeshHeader = 8;

/// Reads the result of `geometry/mesh_file`. Error: mesh/not-packed.
Result<HostMesh> unpack_mesh(std::span<const std::byte> bytes);

/// Writes a mesh; the extension chooses the format: `.ply`, binary; `.obj`; `.glb`; `.gltf` with
/// the numbers inside. Errors: mesh/unknown-format, mesh/index-out-of-range, image/unwritable,
/// mesh/empty (glTF has no meshes without triangles).
Result<void> save_mesh(const std::filesystem::path& path, const HostMesh& mesh);
/// Extensions that `save_mesh` supports, in small letters: ".ply".
std::span<const std::string_view> saved_mesh_extensions();
/// Whether a file's name has one of these extensions.
bool is_mesh_file(const std::filesystem::path& path);

} // namespace tuff
