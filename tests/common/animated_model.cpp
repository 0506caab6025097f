#include "tests/common/animated_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <random>
#include <span>

namespace tuff::test {
namespace {

/// The bytes of a file with its views and accessors.
class AccessorWriter {
  public:
    template <typename T>
    int add(const std::vector<T>& values, const char* type, int component_type, std::size_t count) {
        while (bytes_.size() % 4 != 0)
            bytes_.push_back('\0');
        const std::size_t size = values.size() * sizeof(T);
        views_.push_back(fmt::format(R"({{"buffer": 0, "byteOffset": {}, "byteLength": {}}})",
                                     bytes_.size(), size));
        accessors_.push_back(
            fmt::format(R"({{"bufferView": {}, "componentType": {}, "count": {}, "type": "{}"}})",
                        views_.size() - 1, component_type, count, type));
        bytes_.append(reinterpret_cast<const char*>(values.data()), size);
        return static_cast<int>(accessors_.size()) - 1;
    }
    int floats(const std::vector<float>& values) {
        return add(values, "SCALAR", 5126, values.size());
    }
    int vec3s(const std::vector<glm::vec3>& v) { return add(v, "VEC3", 5126, v.size()); }
    int vec4s(const std::vector<glm::vec4>& v) { return add(v, "VEC4", 5126, v.size()); }

    const std::string& bytes() const { return bytes_; }
    std::string json() const {
        return fmt::format(R"("accessors": [{}], "bufferViews": [{}])", fmt::join(accessors_, ", "),
                           fmt::join(views_, ", "));
    }

  private:
    std::string bytes_;
    std::vector<std::string> views_;
    std::vector<std::string> accessors_;
};

std::string node_json(const AnimatedModel& model, std::size_t index) {
    const AnimatedModel::Node& node = model.nodes[index];
    std::vector<std::size_t> children;
    for (std::size_t i = 0; i < model.nodes.size(); ++i)
        if (model.nodes[i].parent == static_cast<int>(index)) children.push_back(i);
    const auto& t = node.translation;
    const auto& r = node.rotation;
    const auto& s = node.scale;
    std::string json = fmt::format(
        R"("translation": [{}, {}, {}], "rotation": [{}, {}, {}, {}], "scale": [{}, {}, {}])", t.x,
        t.y, t.z, r.x, r.y, r.z, r.w, s.x, s.y, s.z);
    if (!node.name.empty()) json += fmt::format(R"(, "name": "{}")", node.name);
    if (node.mesh >= 0) json += fmt::format(R"(, "mesh": {})", node.mesh);
    if (node.skin >= 0) json += fmt::format(R"(, "skin": {})", node.skin);
    if (node.camera >= 0) json += fmt::format(R"(, "camera": {})", node.camera);
    if (node.light >= 0)
        json += fmt::format(R"(, "extensions": {{"KHR_lights_punctual": {{"light": {}}}}})",
                            node.light);
    if (!children.empty()) json += fmt::format(R"(, "children": [{}])", fmt::join(children, ", "));
    return '{' + json + '}';
}

std::string mesh_json(const AnimatedModel::Mesh& mesh, AccessorWriter& file) {
    std::string attributes = fmt::format(R"("POSITION": {})", file.vec3s(mesh.positions));
    if (!mesh.normals.empty())
        attributes += fmt::format(R"(, "NORMAL": {})", file.vec3s(mesh.normals));
    if (!mesh.tangents.empty())
        attributes += fmt::format(R"(, "TANGENT": {})", file.vec4s(mesh.tangents));
    if (!mesh.colors.empty())
        attributes += fmt::format(R"(, "COLOR_0": {})", file.vec3s(mesh.colors));
    for (int set = 0; set < mesh.sets; ++set) {
        std::vector<std::uint16_t> joints;
        std::vector<float> weights;
        for (std::size_t v = 0; v < mesh.positions.size(); ++v)
            for (std::size_t i = 0; i < 4; ++i) {
                joints.push_back(mesh.joints[v][4 * static_cast<std::size_t>(set) + i]);
                weights.push_back(mesh.weights[v][4 * static_cast<std::size_t>(set) + i]);
            }
        attributes += fmt::format(R"(, "JOINTS_{0}": {1}, "WEIGHTS_{0}": {2})", set,
                                  file.add(joints, "VEC4", 5123, mesh.positions.size()),
                                  file.add(weights, "VEC4", 5126, mesh.positions.size()));
    }
    std::vector<std::string> targets;
    for (const AnimatedModel::Target& target : mesh.targets) {
        std::string json = fmt::format(R"("POSITION": {})", file.vec3s(target.positions));
        if (!target.normals.empty())
            json += fmt::format(R"(, "NORMAL": {})", file.vec3s(target.normals));
        if (!target.tangents.empty())
            json += fmt::format(R"(, "TANGENT": {})", file.vec3s(target.tangents));
        targets.push_back('{' + json + '}');
    }
    std::string primitive =
        fmt::format(R"("attributes": {{{}}}, "indices": {})", attributes,
                    file.add(mesh.indices, "SCALAR", 5125, mesh.indices.size()));
    if (!targets.empty())
        primitive += fmt::format(R"(, "targets": [{}])", fmt::join(targets, ", "));
    std::string json = fmt::format(R"("primitives": [{{{}}}])", primitive);
    if (!mesh.target_weights.empty())
        json += fmt::format(R"(, "weights": [{}])", fmt::join(mesh.target_weights, ", "));
    return '{' + json + '}';
}

std::string camera_json(const AnimatedModel::Camera& camera) {
    std::string json =
        fmt::format(R"("yfov": {}, "znear": {})", camera.vertical_fov, camera.near_plane);
    if (camera.far_plane > 0.0f) json += fmt::format(R"(, "zfar": {})", camera.far_plane);
    return fmt::format(R"({{"type": "perspective", "perspective": {{{}}}}})", json);
}

std::string light_json(const AnimatedModel::Light& light) {
    return fmt::format(R"({{"type": "{}", "intensity": {}{}}})", light.type, light.intensity,
                       light.type == "spot" ? R"(, "spot": {})" : "");
}

std::string skin_json(const AnimatedModel::Skin& skin, AccessorWriter& file) {
    std::string json = fmt::format(R"("joints": [{}])", fmt::join(skin.joints, ", "));
    if (!skin.inverse_bind.empty())
        json += fmt::format(R"(, "inverseBindMatrices": {})",
                            file.add(skin.inverse_bind, "MAT4", 5126, skin.inverse_bind.size()));
    return '{' + json + '}';
}

std::string clip_json(const AnimatedModel::Clip& clip, AccessorWriter& file) {
    std::vector<std::string> samplers;
    std::vector<std::string> channels;
    for (const AnimatedModel::Channel& channel : clip.channels) {
        const int times = file.floats(channel.times);
        const char* type = channel.path == "rotation"  ? "VEC4"
                           : channel.path == "weights" ? "SCALAR"
                                                       : "VEC3";
        const std::size_t floats = type[0] == 'S' ? 1 : type[3] == '4' ? 4 : 3;
        const int values = file.add(channel.values, type, 5126, channel.values.size() / floats);
        channels.push_back(
            fmt::format(R"({{"sampler": {}, "target": {{"node": {}, "path": "{}"}}}})",
                        samplers.size(), channel.node, channel.path));
        samplers.push_back(fmt::format(R"({{"input": {}, "output": {}, "interpolation": "{}"}})",
                                       times, values, channel.interpolation));
    }
    return fmt::format(R"({{"name": "{}", "samplers": [{}], "channels": [{}]}})", clip.name,
                       fmt::join(samplers, ", "), fmt::join(channels, ", "));
}

/// Numbers of a random model.
class Dice {
  public:
    explicit Dice(std::uint32_t seed) : engine_(seed) {}

    float between(float low, float high) {
        return low + (high - low) * static_cast<float>(engine_() >> 8) * 0x1p-24f;
    }
    glm::vec3 in_cube(float half) {
        const float x = between(-half, half);
        const float y = between(-half, half);
        return {x, y, between(-half, half)};
    }
    glm::vec4 turn() {
        glm::vec4 q(0.0f);
        while (glm::length(q) < 0.2f)
            q = glm::vec4(in_cube(1.0f), between(-1.0f, 1.0f));
        return glm::normalize(q);
    }
    std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(engine_()) % end; }

  private:
    std::mt19937 engine_;
};

AnimatedModel::Mesh random_mesh(Dice& dice, int sets, std::size_t joints, std::size_t targets) {
    AnimatedModel::Mesh mesh;
    constexpr std::size_t kVertices = 60;
    for (std::size_t v = 0; v < kVertices; ++v) {
        mesh.positions.push_back(dice.in_cube(1.0f));
        mesh.normals.push_back(glm::normalize(dice.in_cube(1.0f) + glm::vec3(0.0f, 0.0f, 1.5f)));
        const glm::vec3 along = glm::normalize(dice.in_cube(1.0f) + glm::vec3(1.5f, 0.0f, 0.0f));
        mesh.tangents.emplace_back(along, dice.below(2) == 0 ? 1.0f : -1.0f);
        mesh.indices.push_back(static_cast<std::uint32_t>(v));
        if (sets == 0) continue;
        auto& weights = mesh.weights.emplace_back();
        auto& of = mesh.joints.emplace_back();
        float sum = 0.0f;
        const std::size_t used = 4 * static_cast<std::size_t>(sets);
        for (std::size_t i = 0; i < used; ++i) {
            of[i] = static_cast<std::uint16_t>(dice.below(static_cast<std::uint32_t>(joints)));
            weights[i] = dice.between(0.0f, 1.0f);
            sum += weights[i];
        }
        for (float& weight : weights)
            weight /= sum;
    }
    mesh.sets = sets;
    for (std::size_t t = 0; t < targets; ++t) {
        AnimatedModel::Target& target = mesh.targets.emplace_back();
        for (std::size_t v = 0; v < kVertices; ++v) {
            target.positions.push_back(dice.in_cube(0.5f));
            if (t != 1) target.normals.push_back(dice.in_cube(0.3f));
            if (t == 0) target.tangents.push_back(dice.in_cube(0.3f));
        }
        mesh.target_weights.push_back(dice.between(-0.5f, 1.0f));
    }
    return mesh;
}

void add_channel(Dice& dice, AnimatedModel::Clip& clip, int node, const std::string& path,
                 const std::string& interpolation, std::size_t targets = 0) {
    AnimatedModel::Channel channel{.node = node, .path = path, .interpolation = interpolation};
    const std::size_t keys = 1 + dice.below(6);
    float time = dice.between(0.0f, 0.5f);
    for (std::size_t key = 0; key < keys; ++key) {
        channel.times.push_back(time);
        time += dice.between(0.05f, 0.6f);
        const int parts = interpolation == "CUBICSPLINE" ? 3 : 1;
        for (int part = 0; part < parts; ++part) {
            const bool tangent = parts == 3 && part != 1;
            if (path == "rotation") {
                const glm::vec4 q = tangent ? 0.5f * dice.turn() : dice.turn();
                channel.values.insert(channel.values.end(), {q.x, q.y, q.z, q.w});
            } else if (path == "weights") {
                for (std::size_t t = 0; t < targets; ++t)
                    channel.values.push_back(dice.between(-0.5f, 1.0f));
            } else {
                const glm::vec3 v = path == "scale" && !tangent
                                        ? glm::vec3(1.0f) + dice.in_cube(0.4f)
                                        : dice.in_cube(0.8f);
                channel.values.insert(channel.values.end(), {v.x, v.y, v.z});
            }
        }
    }
    clip.channels.push_back(std::move(channel));
}

} // namespace

std::filesystem::path AnimatedModel::write(const std::filesystem::path& folder,
                                           const std::string& name) const {
    AccessorWriter file;
    std::vector<std::string> node_list, mesh_list, skin_list, camera_list, light_list, clip_list;
    std::vector<std::size_t> roots;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        node_list.push_back(node_json(*this, i));
        if (nodes[i].parent < 0) roots.push_back(i);
    }
    for (const Mesh& mesh : meshes)
        mesh_list.push_back(mesh_json(mesh, file));
    for (const Skin& skin : skins)
        skin_list.push_back(skin_json(skin, file));
    for (const Camera& camera : cameras)
        camera_list.push_back(camera_json(camera));
    for (const Light& light : lights)
        light_list.push_back(light_json(light));
    for (const Clip& clip : clips)
        clip_list.push_back(clip_json(clip, file));
    std::string json = fmt::format(
        R"({{"asset": {{"version": "2.0"}}, "scene": 0, "scenes": [{{"nodes": [{}]}}],
"nodes": [{}], "meshes": [{}], )",
        fmt::join(roots, ", "), fmt::join(node_list, ",\n"), fmt::join(mesh_list, ",\n"));
    if (!skins.empty()) json += fmt::format(R"("skins": [{}], )", fmt::join(skin_list, ",\n"));
    if (!cameras.empty()) json += fmt::format(R"("cameras": [{}], )", fmt::join(camera_list, ", "));
    if (!lights.empty())
        json += fmt::format(R"("extensionsUsed": ["KHR_lights_punctual"],
"extensions": {{"KHR_lights_punctual": {{"lights": [{}]}}}}, )",
                            fmt::join(light_list, ", "));
    if (!clips.empty()) json += fmt::format(R"("animations": [{}], )", fmt::join(clip_list, ",\n"));
    json += fmt::format(R"({}, "buffers": [{{"uri": "{}.bin", "byteLength": {}}}]}})", file.json(),
                        name, file.bytes().size());
    std::ofstream(folder / (name + ".bin"), std::ios::binary) << file.bytes();
    const std::filesystem::path path = folder / (name + ".gltf");
    std::ofstream(path, std::ios::binary) << json;
    return path;
}

AnimatedModel random_model(std::uint32_t seed) {
    Dice dice(seed);
    AnimatedModel model;
    constexpr int kJoints = 11;
    for (int i = 0; i < kJoints; ++i)
        model.nodes.push_back(
            {.parent = i == 0 ? -1 : static_cast<int>(dice.below(static_cast<std::uint32_t>(i))),
             .translation = dice.in_cube(0.7f),
             .rotation = dice.turn(),
             .scale = glm::vec3(1.0f) + dice.in_cube(0.2f)});
    AnimatedModel::Skin& skin = model.skins.emplace_back();
    for (int i = kJoints - 1; i >= 0; i -= 1 + static_cast<int>(dice.below(2))) {
        skin.joints.push_back(i);
        std::array<float, 16> matrix{};
        for (std::size_t c = 0; c < 4; ++c)
            for (std::size_t r = 0; r < 3; ++r)
                matrix[4 * c + r] = (c == r ? 1.0f : 0.0f) + dice.between(-0.3f, 0.3f);
        matrix[15] = 1.0f;
        skin.inverse_bind.push_back(matrix);
    }
    const std::size_t joints = skin.joints.size();
    model.meshes = {random_mesh(dice, 1, joints, 0), random_mesh(dice, 2, joints, 0),
                    random_mesh(dice, 0, 0, 3), random_mesh(dice, 1, joints, 2),
                    random_mesh(dice, 0, 0, 0)};
    // The rigid mesh twice: on a node that moves and on one that does not; the morphed one twice,
    // with weights of its own.
    const int places[][3] = {{0, 3, 0},  {1, -1, 0},  {2, 5, -1}, {3, 2, 0},
                             {4, 7, -1}, {4, -1, -1}, {2, 4, -1}};
    for (const auto& [mesh, parent, of_skin] : places)
        model.nodes.push_back({.name = fmt::format("mesh {} below {}", mesh, parent),
                               .parent = parent,
                               .translation = dice.in_cube(0.7f),
                               .rotation = dice.turn(),
                               .scale = glm::vec3(1.0f) + dice.in_cube(0.2f),
                               .mesh = mesh,
                               .skin = of_skin});
    const std::array<std::string, 3> kinds{"STEP", "LINEAR", "CUBICSPLINE"};
    for (const char* name : {"one", "two"}) {
        AnimatedModel::Clip& clip = model.clips.emplace_back(AnimatedModel::Clip{.name = name});
        std::size_t kind = 0;
        for (int node = 0; node < kJoints; ++node)
            for (const char* path : {"translation", "rotation", "scale"})
                if (dice.below(4) != 0) add_channel(dice, clip, node, path, kinds[kind++ % 3]);
        add_channel(dice, clip, kJoints + 2, "weights", "CUBICSPLINE", 3);
        add_channel(dice, clip, kJoints + 3, "weights", "LINEAR", 2);
        if (clip.name == "two") add_channel(dice, clip, kJoints + 6, "weights", "STEP", 3);
    }
    return model;
}

} // namespace tuff::test
