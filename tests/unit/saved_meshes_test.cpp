#include <tuff/mesh.hpp>
#include <tuff/scene.hpp>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

/// Written meshes, read back by assimp (PLY, OBJ) and the reader of glTF.
namespace tuff {
namespace {

namespace fs = std::filesystem;

/// A closed, bent tetrahedron, with numbers that need all their digits.
HostMesh small_mesh() {
    HostMesh mesh{.positions = {{0.1f, -0.2f, 1.0f / 3.0f},
                                {1e-6f, 2.0f, 3.0f},
                                {-4.75f, 123456.7f, 0.0f},
                                {7.0f, -8.0f, -9.5f}},
                  .normals = {},
                  .triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {3, 2, 1}}};
    for (const glm::vec3 position : mesh.positions)
        mesh.normals.push_back(glm::normalize(position + 0.5f));
    return mesh;
}

using Corner = std::array<float, 6>;

/// Triangles by the places and normals of their corners, the least first, sorted.
std::vector<std::array<Corner, 3>> corners_of(const HostMesh& mesh) {
    std::vector<std::array<Corner, 3>> all;
    for (const auto& triangle : mesh.triangles) {
        std::array<Corner, 3> corners;
        for (std::size_t i = 0; i < 3; ++i) {
            const glm::vec3 p = mesh.positions[triangle[i]];
            const glm::vec3 n = mesh.normals.empty() ? glm::vec3(0) : mesh.normals[triangle[i]];
            corners[i] = {p.x, p.y, p.z, n.x, n.y, n.z};
        }
        std::ranges::rotate(corners, std::ranges::min_element(corners));
        all.push_back(corners);
    }
    std::ranges::sort(all);
    return all;
}

HostMesh loaded(const fs::path& file, bool with_normals) {
    const auto scene = load_scene(file);
    EXPECT_TRUE(scene) << to_string(scene.error());
    HostMesh mesh;
    if (!scene) return mesh;
    EXPECT_EQ(scene->draws.size(), 1u);
    for (const Vertex& vertex : scene->vertices) {
        mesh.positions.push_back(vertex.position);
        if (with_normals) mesh.normals.push_back(vertex.normal);
    }
    for (std::size_t i = 0; i + 2 < scene->indices.size(); i += 3)
        mesh.triangles.push_back({scene->indices[i], scene->indices[i + 1], scene->indices[i + 2]});
    return mesh;
}

fs::path file_of(std::string_view extension) {
    return fs::temp_directory_path() / ("tuff_mesh_files_test" + std::string(extension));
}

TEST(SavedMeshes, ComeBackAsTheyWere) {
    for (const bool with_normals : {true, false})
        for (const std::string_view extension : saved_mesh_extensions()) {
            SCOPED_TRACE(std::string(extension) + (with_normals ? ", normals" : ""));
            HostMesh mesh = small_mesh();
            if (!with_normals) mesh.normals.clear();
            const fs::path file = file_of(extension);
            const auto saved = save_mesh(file, mesh);
            ASSERT_TRUE(saved) << to_string(saved.error());
            const auto got = corners_of(loaded(file, with_normals));
            const auto expected = corners_of(mesh);
            fs::remove(file);
            ASSERT_EQ(got.size(), expected.size());
            for (std::size_t i = 0; i < got.size(); ++i)
                for (std::size_t corner = 0; corner < 3; ++corner)
                    for (std::size_t k = 0; k < 6; ++k)
                        // Normals are made of length 1 again; places are as exact as text is.
                        EXPECT_NEAR(got[i][corner][k], expected[i][corner][k],
                                    k < 3 ? 1e-6f * std::abs(expected[i][corner][k]) : 1e-6f);
        }
}

TEST(SavedMeshes, AMeshWithoutTrianglesIsAFileWhereTheFormatAllowsIt) {
    for (const std::string_view extension : saved_mesh_extensions()) {
        const fs::path file = file_of(extension);
        const auto saved = save_mesh(file, {});
        const bool is_gltf = extension == ".glb" || extension == ".gltf";
        EXPECT_EQ(bool(saved), !is_gltf) << extension;
        if (!saved) {
            EXPECT_EQ(saved.error()[0].code, "mesh/empty");
        }
        fs::remove(file);
    }
}

TEST(SavedMeshes, RefusesWhatCannotBeWritten) {
    EXPECT_EQ(save_mesh("surface.stl", small_mesh()).error()[0].code, "mesh/unknown-format");
    HostMesh mesh = small_mesh();
    mesh.triangles[2][1] = 4;
    EXPECT_EQ(save_mesh(file_of(".ply"), mesh).error()[0].code, "mesh/index-out-of-range");
    mesh = small_mesh();
    mesh.normals.pop_back();
    EXPECT_EQ(save_mesh(file_of(".ply"), mesh).error()[0].code, "mesh/index-out-of-range");
    EXPECT_EQ(save_mesh("/no/such/folder/a.ply", small_mesh()).error()[0].code, "image/unwritable");
}

TEST(SavedMeshes, OnlyPackedMeshesAreUnpacked) {
    std::vector<std::uint32_t> words{0x6853654d, 2, 1, 0, 14, 0, 0, 0};
    for (std::uint32_t i = 0; i < 9; ++i)
        words.push_back(i);
    const auto unpacked = [&] { return unpack_mesh(std::as_bytes(std::span(words))); };
    const auto mesh = unpacked();
    ASSERT_TRUE(mesh);
    EXPECT_EQ(mesh->positions.size(), 2u);
    EXPECT_TRUE(mesh->normals.empty());
    EXPECT_EQ(mesh->triangles, (std::vector<std::array<std::uint32_t, 3>>{{6, 7, 8}}));
    for (const auto& [word, value] : {std::pair{0u, 7u},
                                      {1u, 4u},
                                      {2u, 2u},
                                      {3u, 12u},
                                      {4u, 15u},
                                      {4u, 2u},
                                      {1u, 0xffffffffu}}) {
        const std::uint32_t kept = std::exchange(words[word], value);
        EXPECT_FALSE(unpacked()) << word << ' ' << value;
        words[word] = kept;
    }
    EXPECT_FALSE(unpack_mesh({}));
}

} // namespace
} // namespace tuff
