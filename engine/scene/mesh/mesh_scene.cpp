#include "scene/files.hpp"
#include "scene/mesh/geometry.hpp"
#include "scene/mesh/mesh_files.hpp"
#include "scene/mesh/mesh_header.hpp"
#include "scene/mesh/mesh_materials.hpp"
#include "scene/mesh/polygons.hpp"

#include <tuff/file_kinds.hpp>
#include <tuff/scene.hpp>

#include <assimp/Importer.hpp>
#include <assimp/scene.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <exception>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace tuff {
namespace {

constexpr std::uint64_t kMaxMeshFileBytes = std::uint64_t{1} << 32;

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

/// Turns what was imported into a scene, a draw a mesh.
class MeshScene {
  public:
    MeshScene(const aiScene& imported, const MeshOptions& options)
        : imported_(imported), options_(options) {}

    Result<SceneData> build(const std::filesystem::path& folder) {
        if (auto read = read_mesh_materials(imported_, folder, options_.confined_to, scene_); !read)
            return propagate(std::move(read));
        scene_.transforms.emplace_back();
        scene_.node_count = 1;
        for (unsigned i = 0; i < imported_.mNumMeshes; ++i)
            if (auto added = add(*imported_.mMeshes[i], i); !added)
                return propagate(std::move(added));
        if (scene_.indices.empty())
            return fail("mesh/empty", "the file has no triangles",
                        "points and lines alone cannot be drawn");
        return std::move(scene_);
    }

  private:
    Result<void> add(const aiMesh& mesh, unsigned number) {
        Geometry geometry = geometry_of(mesh);
        if (geometry.indices.empty()) return {};
        if (!mesh.HasNormals()) {
            if (options_.normals == MissingNormals::flat)
                make_flat(geometry);
            else
                make_smooth(geometry);
        } else if (const std::size_t bad = repair_normals(geometry); bad != 0) {
            warn("mesh/bad-normals",
                 fmt::format("mesh {}: {} normals have no direction and were made anew", number,
                             bad));
        }
        const std::uint64_t limit = std::min<std::uint64_t>(options_.max_vertices, 0x7fffffffu);
        if (scene_.vertices.size() + geometry.vertices.size() > limit ||
            scene_.indices.size() + geometry.indices.size() > 0xffffffffu)
            return too_large(limit);
        const auto count = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
        scene_.draws.push_back(
            {.first_index = count(scene_.indices),
             .index_count = count(geometry.indices),
             .vertex_offset = static_cast<std::int32_t>(scene_.vertices.size()),
             .material = std::min(mesh.mMaterialIndex, count(scene_.materials) - 1),
             .transform = 0,
             .mesh = count(scene_.mesh_names),
             .flags = 0,
             .vertex_count = count(geometry.vertices)});
        Bounds bounds;
        for (const std::uint32_t corner : geometry.indices)
            bounds.grow(geometry.vertices[corner].position);
        scene_.draw_bounds.push_back(bounds);
        scene_.bounds.grow(bounds.min);
        scene_.bounds.grow(bounds.max);
        scene_.mesh_names.emplace_back(mesh.mName.C_Str());
        scene_.vertices.insert(scene_.vertices.end(), geometry.vertices.begin(),
                               geometry.vertices.end());
        scene_.indices.insert(scene_.indices.end(), geometry.indices.begin(),
                              geometry.indices.end());
        return {};
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
};

std::unexpected<Diagnostics> import_failed(const Assimp::Importer& importer) {
    const std::string why = importer.GetErrorString();
    // The parser of OBJ looks at indices itself.
    if (why.find("index") != std::string::npos && why.find("range") != std::string::npos)
        return fail("mesh/index-out-of-range", why, "the file is damaged; export it again");
    return fail("mesh/corrupt", fmt::format("the file cannot be parsed: {}", why),
                "the file is damaged; export it again");
}

Result<SceneData> import(const std::filesystem::path& path, const MeshOptions& options) {
    Diagnostics refused;
    Assimp::Importer importer;
    importer.SetIOHandler(new MeshFiles(options.confined_to, refused)); // who owns it from here on
    const aiScene* imported = importer.ReadFile(path.string(), 0u);
    if (!refused.empty()) return std::unexpected(std::move(refused));
    if (!imported) return import_failed(importer);
    std::uint64_t vertices = 0;
    bool others = false;
    for (unsigned i = 0; i < imported->mNumMeshes; ++i) {
        if (auto sound = check(*imported->mMeshes[i], i); !sound)
            return propagate(std::move(sound));
        vertices += imported->mMeshes[i]->mNumVertices;
        others |= has_points_or_lines(*imported->mMeshes[i]);
    }
    // OBJ files are read as a vertex a corner; those that are the same become one later.
    constexpr std::uint64_t kCornersPerVertex = 6;
    if (vertices > options.max_vertices * kCornersPerVertex) return too_large(options.max_vertices);
    // The steps that assimp offers for what is read abort the program on some damaged files.
    auto scene = MeshScene(*imported, options).build(path.parent_path());
    if (scene && others)
        scene->warnings.push_back({.code = "mesh/skipped-primitive",
                                   .severity = Severity::warning,
                                   .message = "points and lines are not drawn",
                                   .where = {},
                                   .hint = {}});
    return scene;
}

bool is_gltf(std::string_view extension) {
    return extension == ".gltf" || extension == ".glb";
}

Result<void> check_file(const std::filesystem::path& path, std::string_view extension) {
    if (!is_model_file(path) || is_gltf(extension))
        return fail("mesh/unknown-format",
                    fmt::format("'{}' is no kind of model that is understood", path.string()),
                    fmt::format("one of {}", fmt::join(model_extensions(), ", ")));
    const auto file = read_file(path, "mesh", kMaxMeshFileBytes);
    if (!file) return propagate(Result<std::vector<std::byte>>(file));
    if (extension == ".ply") return check_ply_header(*file);
    if (extension == ".off") return check_off(*file);
    return {};
}

} // namespace

Result<SceneData> load_mesh(const std::filesystem::path& path, const MeshOptions& options) {
    Result<SceneData> scene;
    if (auto sound = check_file(path, lower_extension(path)); !sound) {
        scene = propagate(std::move(sound));
    } else {
        try {
            scene = import(path, options);
        } catch (const std::exception& error) {
            scene =
                fail("mesh/corrupt", fmt::format("the file cannot be parsed: {}", error.what()));
        }
    }
    if (!scene)
        for (Diagnostic& diagnostic : scene.error())
            if (!diagnostic.where.known()) diagnostic.where.file = path.string();
    return scene;
}

Result<SceneData> load_scene(const std::filesystem::path& path,
                             std::span<const std::filesystem::path> confined_to) {
    const std::string extension = lower_extension(path);
    std::vector<std::filesystem::path> folders(confined_to.begin(), confined_to.end());
    return is_gltf(extension) ? load_gltf(path, {.confined_to = std::move(folders)})
                              : load_mesh(path, {.confined_to = std::move(folders)});
}

std::span<const std::string_view> model_extensions() {
    static constexpr std::array<std::string_view, 5> kAll = {".gltf", ".glb", ".obj", ".ply",
                                                             ".off"};
    return kAll;
}

bool is_model_file(const std::filesystem::path& path) {
    return std::ranges::count(model_extensions(), lower_extension(path)) > 0;
}

} // namespace tuff
