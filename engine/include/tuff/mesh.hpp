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

/// Meshes of triangles as files. What reads them is `load_scene`.
namespace tuff {

/// Triangles that share vertices.
struct HostMesh {
    std::vector<glm::vec3> positions;                    ///< of vertices
    std::vector<glm::vec3> normals;                      ///< of vertices; empty: there are none
    std::vector<std::array<std::uint32_t, 3>> triangles; ///< vertices, counter-clockwise
};

/// Words before the positions of a packed mesh: 0x6853654d, how many vertices and triangles there
/// are, in which word normals (0: there are none) and indices begin, and three zeros.
inline constexpr std::uint64_t kPackedMeshHeader = 8;

/// What `geometry/mesh_file` has packed. Error: mesh/not-packed.
Result<HostMesh> unpack_mesh(std::span<const std::byte> bytes);

/// Writes a mesh; the extension chooses the format: `.ply`, binary; `.obj`; `.glb`; `.gltf` with
/// the numbers inside. Errors: mesh/unknown-format, mesh/index-out-of-range, image/unwritable,
/// mesh/empty (glTF has no meshes without triangles).
Result<void> save_mesh(const std::filesystem::path& path, const HostMesh& mesh);
/// What `save_mesh` knows, in small letters: ".ply".
std::span<const std::string_view> saved_mesh_extensions();
/// Whether a file's name has one of these extensions.
bool is_mesh_file(const std::filesystem::path& path);

} // namespace tuff
