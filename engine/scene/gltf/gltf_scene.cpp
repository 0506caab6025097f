#include "scene/far_plane.hpp"
#include "scene/gltf/gltf_accessor.hpp"
#include "scene/gltf/gltf_document.hpp"
#include "scene/gltf/gltf_geometry.hpp"
#include "scene/gltf/gltf_lights.hpp"
#include "scene/gltf/gltf_materials.hpp"
#include "scene/gltf/gltf_motion.hpp"
#include "scene/mesh/geometry.hpp"
#include "scene/mesh/placed_draws.hpp"

#include <tuff/scene.hpp>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace tuff {
namespace {

glm::mat4 local_transform(const tinygltf::Node& node) {
    const auto f = [](const std::vector<double>& values, std::size_t i) {
        return static_cast<float>(values[i]);
    };
    glm::mat4 result(1.0f);
    if (node.matrix.size() == 16) {
        for (std::size_t i = 0; i < 16; ++i)
            result[static_cast<int>(i / 4)][static_cast<int>(i % 4)] = f(node.matrix, i);
        return result;
    }
    const auto& t = node.translation;
    const auto& r = node.rotation;
    const auto& s = node.scale;
    if (t.size() == 3) result = glm::translate(result, glm::vec3(f(t, 0), f(t, 1), f(t, 2)));
    if (r.size() == 4) result *= glm::mat4_cast(glm::quat(f(r, 3), f(r, 0), f(r, 1), f(r, 2)));
    if (s.size() == 3) result = glm::scale(result, glm::vec3(f(s, 0), f(s, 1), f(s, 2)));
    return result;
}

std::string quoted(const std::string& name) {
    return name.empty() ? "" : fmt::format(" '{}'", name);
}

class SceneBuilder {
  public:
    SceneBuilder(const tinygltf::Model& model, const GltfOptions& options)
        : model_(model), options_(options), motion_(model) {}

    Result<SceneData> build() {
        auto done = gltf::read_materials(model_, scene_);
        if (!done) return propagate(std::move(done));
        scene_.node_count = static_cast<std::uint32_t>(model_.nodes.size());
        for (const tinygltf::Mesh& mesh : model_.meshes)
            scene_.mesh_names.push_back(mesh.name);
        auto roots = find_roots();
        if (!roots) return propagate(std::move(roots));
        if (done = visit_nodes(*roots); !done) return propagate(std::move(done));
        finish_cameras();
        if (motion_.moves())
            if (done = finish_motion(); !done) return propagate(std::move(done));
        return std::move(scene_);
    }

  private:
    Result<std::vector<int>> find_roots() const {
        if (options_.scene && *options_.scene >= model_.scenes.size())
            return fail("gltf/schema", fmt::format("there is no scene {}, the file has {}",
                                                   *options_.scene, model_.scenes.size()));
        if (!model_.scenes.empty()) {
            const int chosen = std::max(model_.defaultScene, 0);
            const std::size_t index = options_.scene.value_or(static_cast<std::uint32_t>(chosen));
            return model_.scenes[index].nodes;
        }
        std::vector<bool> is_child(model_.nodes.size());
        for (const tinygltf::Node& node : model_.nodes)
            for (const int child : node.children)
                is_child[static_cast<std::size_t>(child)] = true;
        std::vector<int> roots;
        for (std::size_t i = 0; i < model_.nodes.size(); ++i)
            if (!is_child[i]) roots.push_back(static_cast<int>(i));
        if (roots.empty() && !model_.nodes.empty())
            return fail("gltf/node-cycle", "no node is a root: every node is the child of another",
                        "the file is damaged; export it again");
        return roots;
    }

    /// Depth first with a stack of its own: a chain of a million nodes must not exhaust ours.
    Result<void> visit_nodes(const std::vector<int>& roots) {
        struct Pending {
            int node;
            glm::mat4 parent;
            std::int32_t visited_parent;
        };
        std::vector<Pending> stack;
        for (auto it = roots.rbegin(); it != roots.rend(); ++it)
            stack.push_back({*it, glm::mat4(1.0f), -1});
        std::vector<bool> seen(model_.nodes.size());
        while (!stack.empty()) {
            const Pending next = stack.back();
            stack.pop_back();
            const std::size_t index = static_cast<std::size_t>(next.node);
            const tinygltf::Node& node = model_.nodes[index];
            const std::string label = fmt::format("node {}{}", index, quoted(node.name));
            if (seen[index])
                return fail(
                    "gltf/node-cycle",
                    fmt::format("{} is reached twice: it contains itself or has two parents",
                                label),
                    "the nodes of a glTF file form trees");
            seen[index] = true;
            const glm::mat4 local = local_transform(node);
            const glm::mat4 world = next.parent * local;
            if (!is_finite(world))
                return fail("gltf/not-finite",
                            fmt::format("{}: its transform is infinite or not a number", label));
            std::int32_t visited = -1;
            if (motion_.moves()) {
                auto entered = motion_.visit(next.node, next.visited_parent, local);
                if (!entered) return propagate(std::move(entered));
                visited = *entered;
            }
            if (node.mesh >= 0)
                if (auto added = add_instance(next.node, visited, world); !added) return added;
            if (node.camera >= 0) {
                if (visited >= 0) motion_.carry_camera(scene_.cameras.size(), visited);
                if (auto added = add_camera(static_cast<std::size_t>(node.camera), world); !added)
                    return added;
            }
            if (const auto light = gltf::light_of(node)) {
                if (visited >= 0) motion_.carry_light(scene_.lights.size(), visited);
                if (auto added = add_light(*light, world); !added) return added;
            }
            for (auto it = node.children.rbegin(); it != node.children.rend(); ++it)
                stack.push_back({*it, world, visited});
        }
        return {};
    }

    Result<void> add_instance(int node, std::int32_t visited, const glm::mat4& world) {
        const tinygltf::Node& source = model_.nodes[static_cast<std::size_t>(node)];
        const auto mesh = static_cast<std::size_t>(source.mesh);
        std::vector<SceneRange> own;
        const std::vector<SceneRange>* ranges = &own;
        if (motion_.deforms(source)) {
            auto read = add_mesh(mesh, node);
            if (!read) return propagate(std::move(read));
            own = std::move(*read);
        } else {
            auto known = meshes_.find(mesh);
            if (known == meshes_.end()) {
                auto read = add_mesh(mesh, {});
                if (!read) return propagate(std::move(read));
                known = meshes_.emplace(mesh, std::move(*read)).first;
            }
            ranges = &known->second;
        }
        // A skin places vertices in the file's coordinates, whatever the node's transform is.
        const bool skinned = motion_.has_skin(source);
        if (!placer_.place(*ranges, static_cast<std::uint32_t>(mesh),
                           skinned ? glm::mat4(1.0f) : world, source.name))
            return fail("gltf/too-large",
                        fmt::format("the scene has more than {} draws", DrawPlacer::kMaxDraws));
        if (motion_.moves()) motion_.place(scene_.transforms.size(), skinned ? -1 : visited);
        return {};
    }

    /// The primitives of a mesh; of one that a node moves the vertices of, with how it does.
    Result<std::vector<SceneRange>> add_mesh(std::size_t index, std::optional<int> deforming) {
        const tinygltf::Mesh& mesh = model_.meshes[index];
        std::vector<SceneRange> ranges;
        for (std::size_t i = 0; i < mesh.primitives.size(); ++i) {
            const tinygltf::Primitive& primitive = mesh.primitives[i];
            const std::string owner =
                fmt::format("mesh {}{}, primitive {}", index, quoted(mesh.name), i);
            const std::uint32_t material = material_of(primitive);
            auto geometry = gltf::read_geometry(model_, primitive, tangent_uv(material), owner,
                                                scene_.warnings);
            if (!geometry) return propagate(std::move(geometry));
            if (geometry->indices.empty()) continue;
            auto range = append(*geometry, owner);
            if (!range) return propagate(std::move(range));
            range->material = material;
            ranges.push_back(*range);
            if (!deforming) continue;
            auto done = motion_.deform(*deforming, primitive, *geometry,
                                       static_cast<std::uint32_t>(range->vertex_offset), owner,
                                       scene_.warnings);
            if (!done) return propagate(std::move(done));
        }
        return ranges;
    }

    Result<SceneRange> append(const Geometry& geometry, const std::string& owner) {
        // A closed mesh has about six indices a vertex. Far more is an attack: primitives that
        // share a few vertices and one large index accessor.
        constexpr std::uint64_t kIndicesPerVertex = 12;
        const std::uint64_t vertices = scene_.vertices.size() + geometry.vertices.size();
        const std::uint64_t indices = scene_.indices.size() + geometry.indices.size();
        const std::uint64_t limit = std::min<std::uint64_t>(options_.max_vertices, 0x7fffffffu);
        if (vertices > limit || indices > limit * kIndicesPerVertex || indices > 0xffffffffu)
            return fail("gltf/too-large",
                        fmt::format("{}: the scene has more than {} vertices", owner, limit),
                        "raise GltfOptions::max_vertices");
        return append_geometry(scene_, geometry);
    }

    /// Primitives without a material share one default material behind those of the file.
    std::uint32_t material_of(const tinygltf::Primitive& primitive) {
        if (primitive.material >= 0) return static_cast<std::uint32_t>(primitive.material);
        if (scene_.materials.size() == model_.materials.size()) {
            scene_.materials.emplace_back();
            scene_.material_names.emplace_back("default");
        }
        return static_cast<std::uint32_t>(model_.materials.size());
    }

    std::optional<std::uint32_t> tangent_uv(std::uint32_t material) const {
        const TextureSlot& slot = scene_.materials[material].normal_texture;
        return slot.texture >= 0 ? std::optional(slot.uv_set) : std::nullopt;
    }

    Result<void> add_camera(std::size_t index, const glm::mat4& world) {
        const tinygltf::Camera& source = model_.cameras[index];
        Camera camera;
        camera.position = glm::vec3(world[3]);
        camera.target = camera.position - glm::vec3(world[2]);
        camera.up = glm::vec3(world[1]);
        bool sound = false;
        if (source.type == "perspective") {
            camera.vertical_fov = glm::degrees(static_cast<float>(source.perspective.yfov));
            camera.near_plane = static_cast<float>(source.perspective.znear);
            camera.far_plane = static_cast<float>(source.perspective.zfar); // 0: infinite
            sound = camera.vertical_fov > 0.0f && camera.vertical_fov < 180.0f &&
                    camera.near_plane > 0.0f;
        } else if (source.type == "orthographic") {
            camera.kind = Projection::orthographic;
            camera.orthographic_height =
                2.0f * std::abs(static_cast<float>(source.orthographic.ymag));
            camera.near_plane = static_cast<float>(source.orthographic.znear);
            camera.far_plane = static_cast<float>(source.orthographic.zfar);
            sound = camera.orthographic_height > 0.0f && camera.far_plane > camera.near_plane;
        }
        if (!sound)
            return fail("gltf/schema", fmt::format("camera {}{}: its type '{}' or its angles and "
                                                   "planes are out of range",
                                                   index, quoted(source.name), source.type));
        scene_.cameras.push_back({source.name, camera});
        return {};
    }

    Result<void> add_light(std::size_t index, const glm::mat4& world) {
        auto light = gltf::read_light(model_, index);
        if (!light) return propagate(std::move(light));
        place_light(*light, world);
        scene_.lights.push_back(std::move(*light));
        return {};
    }

    void finish_cameras() {
        for (std::size_t i = 0; i < scene_.cameras.size(); ++i) {
            Camera& camera = scene_.cameras[i].camera;
            if (camera.far_plane > camera.near_plane) continue;
            camera.far_plane = far_plane_about(camera, scene_.bounds);
            if (motion_.moves()) motion_.open_camera(i);
        }
    }

    Result<void> finish_motion() {
        const auto root = static_cast<std::int32_t>(scene_.transforms.size());
        scene_.transforms.emplace_back();
        auto motion = motion_.finish(root, scene_.warnings);
        if (!motion) return propagate(std::move(motion));
        scene_.motion = std::move(*motion);
        return {};
    }

    const tinygltf::Model& model_;
    const GltfOptions& options_;
    SceneData scene_;
    std::map<std::size_t, std::vector<SceneRange>> meshes_;
    DrawPlacer placer_{scene_};
    gltf::MotionReader motion_;
};

} // namespace

std::uint64_t SceneData::triangle_count() const {
    std::uint64_t count = 0;
    for (const SceneDraw& draw : draws)
        count += draw.index_count / 3;
    return count;
}

Result<SceneData> load_gltf(const std::filesystem::path& path, const GltfOptions& options) {
    auto document = gltf::open_document(path, options.confined_to);
    if (!document) return propagate(std::move(document));
    auto scene = SceneBuilder(document->model, options).build();
    if (!scene) {
        // Errors of contents know mesh and node but not the file.
        for (Diagnostic& diagnostic : scene.error())
            if (!diagnostic.where.known()) diagnostic.where.file = path.string();
        return scene;
    }
    scene->warnings.insert(scene->warnings.begin(), document->warnings.begin(),
                           document->warnings.end());
    return scene;
}

} // namespace tuff
