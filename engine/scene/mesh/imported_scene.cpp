#include "scene/mesh/imported_scene.hpp"

#include "scene/mesh/mesh_materials.hpp"
#include "scene/mesh/placed_draws.hpp"
#include "scene/mesh/polygons.hpp"

#include <assimp/scene.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace tuff {
namespace {

std::unexpected<Diagnostics> too_large(std::uint64_t limit) {
    return fail("mesh/too-large", fmt::format("the mesh has more than {} vertices", limit),
                "raise MeshOptions::max_vertices");
}

/// Checks an imported mesh before anything follows its indices.
Result<void> check(const aiMesh& mesh, unsigned number) {
    for (unsigned i = 0; i < mesh.mNumVertices; ++i) {
        const aiVector3D& p = mesh.mVertices[i];
        if (!is_finite({p.x, p.y, p.z}))
            return fail("mesh/not-finite",
                        fmt::format("mesh {}: position {} is infinite or not a number", number, i),
                        "the file is damaged; export it again");
    }
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
        const aiFace& face = mesh.mFaces[f];
        for (unsigned c = 0; c < face.mNumIndices; ++c)
            if (face.mIndices[c] >= mesh.mNumVertices)
                return fail("mesh/index-out-of-range",
                            fmt::format("mesh {}: index {} of face {} is out of range, there are "
                                        "{} vertices",
                                        number, face.mIndices[c], f, mesh.mNumVertices),
                            "the file is damaged; export it again");
    }
    return {};
}

bool has_points_or_lines(const aiMesh& mesh) {
    return std::any_of(mesh.mFaces, mesh.mFaces + mesh.mNumFaces,
                       [](const aiFace& face) { return face.mNumIndices < 3; });
}

Vertex vertex_of(const aiMesh& mesh, unsigned i) {
    Vertex vertex;
    vertex.position = {mesh.mVertices[i].x, mesh.mVertices[i].y, mesh.mVertices[i].z};
    vertex.normal = glm::vec3(0.0f);
    if (mesh.HasNormals())
        vertex.normal = {mesh.mNormals[i].x, mesh.mNormals[i].y, mesh.mNormals[i].z};
    if (mesh.HasTextureCoords(0)) {
        const aiVector3D& uv = mesh.mTextureCoords[0][i];
        // These formats count v from below.
        if (is_finite({uv.x, uv.y, 0.0f})) vertex.uv0 = {uv.x, 1.0f - uv.y};
    }
    if (mesh.HasVertexColors(0)) {
        const aiColor4D& color = mesh.mColors[0][i];
        vertex.color_rg = pack_unorm16(color.r, color.g);
        vertex.color_ba = pack_unorm16(color.b, color.a);
    }
    return vertex;
}

/// Vertices that are the same in everything become one: OBJ files are read as a vertex a corner.
class VertexPool {
  public:
    explicit VertexPool(std::vector<Vertex>& vertices) : vertices_(vertices) {}

    std::uint32_t index_of(const Vertex& vertex) {
        const auto bytes = std::bit_cast<Bytes>(vertex);
        const auto [known, is_new] = indices_.try_emplace(
            std::string(bytes.data(), bytes.size()), static_cast<std::uint32_t>(vertices_.size()));
        if (is_new) vertices_.push_back(vertex);
        return known->second;
    }

  private:
    using Bytes = std::array<char, sizeof(Vertex)>;
    std::vector<Vertex>& vertices_;
    std::unordered_map<std::string, std::uint32_t> indices_;
};

/// The triangles of all polygons; vertices that none of them uses are left out.
Geometry geometry_of(const aiMesh& mesh) {
    Geometry geometry;
    VertexPool pool(geometry.vertices);
    constexpr std::uint32_t kUnknown = ~0u;
    std::vector<std::uint32_t> indices(mesh.mNumVertices, kUnknown);
    std::vector<glm::vec3> corners;
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
        const std::span<const unsigned> face(mesh.mFaces[f].mIndices, mesh.mFaces[f].mNumIndices);
        corners.clear();
        for (const unsigned vertex : face)
            corners.emplace_back(mesh.mVertices[vertex].x, mesh.mVertices[vertex].y,
                                 mesh.mVertices[vertex].z);
        for (const std::uint32_t corner : triangulate(corners)) {
            std::uint32_t& index = indices[face[corner]];
            if (index == kUnknown) index = pool.index_of(vertex_of(mesh, face[corner]));
            geometry.indices.push_back(index);
        }
    }
    return geometry;
}

glm::mat4 matrix_of(const aiMatrix4x4& m) { // assimp's rows
    return {{m.a1, m.b1, m.c1, m.d1},
            {m.a2, m.b2, m.c2, m.d2},
            {m.a3, m.b3, m.c3, m.d3},
            {m.a4, m.b4, m.c4, m.d4}};
}

/// Turns what was imported into a scene.
class MeshScene {
  public:
    MeshScene(const aiScene& imported, const MeshOptions& options)
        : imported_(imported), options_(options), ranges_(imported.mNumMeshes) {}

    Result<SceneData> build(const std::filesystem::path& folder) {
        if (auto sound = check_meshes(); !sound) return propagate(std::move(sound));
        if (auto read = read_mesh_materials(imported_, folder, options_.confined_to, scene_); !read)
            return propagate(std::move(read));
        for (unsigned i = 0; i < imported_.mNumMeshes; ++i)
            scene_.mesh_names.emplace_back(imported_.mMeshes[i]->mName.C_Str());
        if (auto placed = visit_nodes(); !placed) return propagate(std::move(placed));
        if (scene_.draws.empty())
            return fail("mesh/empty", "the file has no triangles",
                        "points and lines alone cannot be drawn");
        return std::move(scene_);
    }

  private:
    Result<void> check_meshes() {
        std::uint64_t vertices = 0;
        bool others = false;
        for (unsigned i = 0; i < imported_.mNumMeshes; ++i) {
            if (auto sound = check(*imported_.mMeshes[i], i); !sound) return sound;
            vertices += imported_.mMeshes[i]->mNumVertices;
            others |= has_points_or_lines(*imported_.mMeshes[i]);
        }
        // Most files are read as a vertex a corner; those that are the same become one later.
        constexpr std::uint64_t kCornersPerVertex = 6;
        if (vertices > options_.max_vertices * kCornersPerVertex)
            return too_large(options_.max_vertices);
        if (others) warn("mesh/skipped-primitive", "points and lines are not drawn");
        return {};
    }

    /// Depth first with a stack of its own: a long chain of nodes must not exhaust ours.
    Result<void> visit_nodes() {
        struct Pending {
            const aiNode* node;
            glm::mat4 parent;
        };
        std::vector<Pending> stack;
        if (imported_.mRootNode) stack.push_back({imported_.mRootNode, glm::mat4(1.0f)});
        while (!stack.empty()) {
            const Pending next = stack.back();
            stack.pop_back();
            ++scene_.node_count;
            const glm::mat4 world = next.parent * matrix_of(next.node->mTransformation);
            if (!is_finite(world))
                return fail("mesh/not-finite",
                            fmt::format("node '{}': its transform is infinite or not a number",
                                        next.node->mName.C_Str()),
                            "the file is damaged; export it again");
            for (unsigned i = 0; i < next.node->mNumMeshes; ++i)
                if (auto added = place(next.node->mMeshes[i], world); !added) return added;
            for (unsigned i = next.node->mNumChildren; i-- > 0;)
                stack.push_back({next.node->mChildren[i], world});
        }
        return {};
    }

    Result<void> place(unsigned mesh, const glm::mat4& world) {
        if (mesh >= imported_.mNumMeshes)
            return fail("mesh/index-out-of-range",
                        fmt::format("a node has mesh {}, there are {}", mesh, imported_.mNumMeshes),
                        "the file is damaged; export it again");
        if (!ranges_[mesh]) {
            auto range = add(*imported_.mMeshes[mesh], mesh);
            if (!range) return propagate(std::move(range));
            ranges_[mesh] = *range;
        }
        if (ranges_[mesh]->index_count == 0) return {};
        if (placer_.place({&*ranges_[mesh], 1}, mesh, world)) return {};
        return fail("mesh/too-large",
                    fmt::format("the scene has more than {} draws", DrawPlacer::kMaxDraws));
    }

    Result<SceneRange> add(const aiMesh& mesh, unsigned number) {
        Geometry geometry = geometry_of(mesh);
        if (geometry.indices.empty()) return SceneRange{};
        if (!mesh.HasNormals()) {
            if (options_.normals == MissingNormals::flat)
                make_flat(geometry);
            else
                make_smooth(geometry);
        } else if (const std::size_t bad = repair_normals(geometry); bad != 0) {
            warn("mesh/bad-normals",
                 fmt::format(
                     "mesh {}: {} normals have no direction and were computed from the triangles",
                     number, bad));
        }
        const std::uint64_t limit = std::min<std::uint64_t>(options_.max_vertices, 0x7fffffffu);
        if (scene_.vertices.size() + geometry.vertices.size() > limit ||
            scene_.indices.size() + geometry.indices.size() > 0xffffffffu)
            return too_large(limit);
        SceneRange range = append_geometry(scene_, geometry);
        const auto materials = static_cast<std::uint32_t>(scene_.materials.size());
        range.material = std::min(mesh.mMaterialIndex, materials - 1);
        return range;
    }

    void warn(const char* code, std::string message) {
        scene_.warnings.push_back({.code = code,
                                   .severity = Severity::warning,
                                   .message = std::move(message),
                                   .where = {},
                                   .hint = {}});
    }

    const aiScene& imported_;
    const MeshOptions& options_;
    SceneData scene_;
    std::vector<std::optional<SceneRange>> ranges_; ///< of meshes that a node has placed
    DrawPlacer placer_{scene_};
};

} // namespace

Result<SceneData> scene_of_import(const aiScene& imported, const std::filesystem::path& folder,
                                  const MeshOptions& options) {
    return MeshScene(imported, options).build(folder);
}

} // namespace tuff
