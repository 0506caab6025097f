#include "scene/gltf/gltf_motion.hpp"

#include "scene/gltf/gltf_accessor.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace tuff::gltf {
namespace {

constexpr std::uint32_t kMaxDepth = 1024; // of nodes: kernels walk from each to its root
constexpr std::uint64_t kMaxMotionWords = 1ull << 27; // of influences, and of displacements
constexpr std::size_t kMaxSkinJoints = 1u << 16;      // of a skin: numbers have 16 bits
constexpr std::uint64_t kWordsOfSet = 6;              // of influences of a vertex
constexpr float kWeightSlack = 2e-3f;                 // sums of eight weights of 8 bits

std::vector<std::uint32_t> origins_of(const Geometry& geometry) {
    if (!geometry.origins.empty()) return geometry.origins;
    std::vector<std::uint32_t> same(geometry.vertices.size());
    for (std::uint32_t i = 0; i < same.size(); ++i)
        same[i] = i;
    return same;
}

/// How many vertices the file has where the geometry may have more.
std::size_t source_count(const tinygltf::Model& model, const tinygltf::Primitive& primitive) {
    return model.accessors[static_cast<std::size_t>(primitive.attributes.at("POSITION"))].count;
}

Result<FloatArray> read_attribute(const tinygltf::Model& model, int accessor,
                                  std::size_t components, std::size_t count,
                                  const std::string& owner) {
    auto array = read_floats(model, accessor, owner);
    if (!array) return array;
    if (array->components != components || array->count() != count)
        return fail("gltf/attribute-mismatch",
                    fmt::format("{} has {} elements of {} components for {} positions", owner,
                                array->count(), array->components, count));
    for (const float value : array->values)
        if (!std::isfinite(value))
            return fail("gltf/not-finite",
                        fmt::format("{}: a value is infinite or not a number", owner),
                        "the file is damaged; export it again");
    return array;
}

Result<void> too_large(const std::string& owner, const char* what) {
    return fail("gltf/too-large", fmt::format("{}: the scene has too many {}", owner, what));
}

} // namespace

MotionReader::MotionReader(const tinygltf::Model& model)
    : model_(model), visited_(model.nodes.size(), -1) {
    std::uint32_t joints = 0;
    for (const tinygltf::Skin& skin : model.skins) {
        first_joints_.push_back(joints);
        joints += static_cast<std::uint32_t>(skin.joints.size());
    }
    moves_ = !model.animations.empty() ||
             std::ranges::any_of(model.nodes, [&](const auto& node) { return deforms(node); });
}

bool MotionReader::has_skin(const tinygltf::Node& node) const {
    if (node.skin < 0 || node.mesh < 0) return false;
    const auto& primitives = model_.meshes[static_cast<std::size_t>(node.mesh)].primitives;
    return std::ranges::any_of(primitives, [](const auto& primitive) {
        return primitive.attributes.contains("JOINTS_0") &&
               primitive.attributes.contains("WEIGHTS_0");
    });
}

bool MotionReader::deforms(const tinygltf::Node& node) const {
    if (node.mesh < 0) return false;
    const auto& primitives = model_.meshes[static_cast<std::size_t>(node.mesh)].primitives;
    return has_skin(node) ||
           std::ranges::any_of(primitives, [](const auto& p) { return !p.targets.empty(); });
}

Result<std::int32_t> MotionReader::visit(int node, std::int32_t parent, const glm::mat4& local) {
    const tinygltf::Node& source = model_.nodes[static_cast<std::size_t>(node)];
    const auto index = static_cast<std::int32_t>(motion_.nodes.size());
    const std::uint32_t depth = parent < 0 ? 1 : depths_[static_cast<std::size_t>(parent)] + 1;
    if (depth > kMaxDepth)
        return fail("gltf/too-large",
                    fmt::format("node {}: more than {} nodes lie above one another in a scene that "
                                "moves",
                                node, kMaxDepth));
    visited_[static_cast<std::size_t>(node)] = index;
    MotionNode entry{.local = local, .parent = parent};
    const auto f = [](double v) { return static_cast<float>(v); };
    const auto& t = source.translation;
    const auto& r = source.rotation;
    const auto& s = source.scale;
    if (t.size() == 3) entry.translation = {f(t[0]), f(t[1]), f(t[2])};
    if (s.size() == 3) entry.scale = {f(s[0]), f(s[1]), f(s[2])};
    if (r.size() == 4) entry.rotation = {f(r[0]), f(r[1]), f(r[2]), f(r[3])};
    motion_.nodes.push_back(entry);
    depths_.push_back(depth);
    groups_.push_back(-1);
    return index;
}

Result<void> MotionReader::deform(int node, const tinygltf::Primitive& primitive,
                                  const Geometry& geometry, std::uint32_t first_vertex,
                                  const std::string& owner, Diagnostics& warnings) {
    const tinygltf::Node& source = model_.nodes[static_cast<std::size_t>(node)];
    MotionRange range{.first_vertex = first_vertex,
                      .vertex_count = static_cast<std::uint32_t>(geometry.vertices.size())};
    if (!primitive.targets.empty())
        if (auto done = read_targets(node, primitive, geometry, range, owner); !done) return done;
    if (has_skin(source)) {
        if (!primitive.attributes.contains("JOINTS_0") ||
            !primitive.attributes.contains("WEIGHTS_0"))
            return fail("gltf/skin",
                        fmt::format("{}: it has no joints, and others of its mesh have", owner));
        const std::size_t skin = static_cast<std::size_t>(source.skin);
        if (model_.skins[skin].joints.empty())
            return fail("gltf/skin", fmt::format("skin {} has no joints", skin));
        range.first_joint = first_joints_[skin];
        auto done = read_influences(primitive, model_.skins[skin].joints.size(), geometry, range,
                                    owner, warnings);
        if (!done) return done;
    }
    if (range.influence_sets != 0 || range.target_count != 0) motion_.ranges.push_back(range);
    return {};
}

Result<void> MotionReader::read_influences(const tinygltf::Primitive& primitive,
                                           std::size_t joint_count, const Geometry& geometry,
                                           MotionRange& range, const std::string& owner,
                                           Diagnostics& warnings) {
    if (joint_count > kMaxSkinJoints) return too_large(owner, "joints");
    const std::size_t count = source_count(model_, primitive);
    std::vector<FloatArray> joints;
    std::vector<FloatArray> weights;
    for (int set = 0; set < 2; ++set) {
        const auto joint = primitive.attributes.find(fmt::format("JOINTS_{}", set));
        const auto weight = primitive.attributes.find(fmt::format("WEIGHTS_{}", set));
        if (joint == primitive.attributes.end() || weight == primitive.attributes.end()) break;
        auto read = read_attribute(model_, joint->second, 4, count,
                                   fmt::format("{}: JOINTS_{}", owner, set));
        if (!read) return propagate(std::move(read));
        joints.push_back(std::move(*read));
        read = read_attribute(model_, weight->second, 4, count,
                              fmt::format("{}: WEIGHTS_{}", owner, set));
        if (!read) return propagate(std::move(read));
        weights.push_back(std::move(*read));
    }
    const auto warn = [&](const char* code, std::string message) {
        warnings.push_back({.code = code,
                            .severity = Severity::warning,
                            .message = std::move(message),
                            .where = {},
                            .hint = {}});
    };
    if (primitive.attributes.contains("JOINTS_2"))
        warn(
            "gltf/ignored",
            fmt::format("{}: of the joints of a vertex eight are used, others are ignored", owner));
    const std::size_t sets = joints.size();
    const std::uint64_t words = geometry.vertices.size() * sets * kWordsOfSet;
    if (motion_.influences.size() + words > kMaxMotionWords) return too_large(owner, "joints");
    range.influence_sets = static_cast<std::uint32_t>(sets);
    range.first_influence = static_cast<std::uint32_t>(motion_.influences.size());
    std::size_t odd = 0;
    for (const std::uint32_t origin : origins_of(geometry)) {
        float sum = 0.0f;
        for (std::size_t set = 0; set < sets; ++set)
            for (std::size_t i = 0; i < 4; ++i) {
                float& weight = weights[set].values[4 * origin + i];
                weight = std::max(weight, 0.0f);
                sum += weight;
                const float joint = joints[set].values[4 * origin + i];
                if (weight > 0.0f && !(joint >= 0.0f && joint < static_cast<float>(joint_count)))
                    return fail("gltf/index-out-of-range",
                                fmt::format("{}: vertex {} follows joint {} of a skin that has {}",
                                            owner, origin, joint, joint_count),
                                "the file is damaged; export it again");
            }
        odd += std::abs(sum - 1.0f) > kWeightSlack;
        for (std::size_t set = 0; set < sets; ++set) {
            std::uint32_t packed[4];
            float share[4];
            for (std::size_t i = 0; i < 4; ++i) {
                share[i] = sum > 0.0f ? weights[set].values[4 * origin + i] / sum
                                      : (set == 0 && i == 0 ? 1.0f : 0.0f);
                const float joint = joints[set].values[4 * origin + i];
                packed[i] = share[i] > 0.0f && sum > 0.0f ? static_cast<std::uint32_t>(joint) : 0;
            }
            auto& out = motion_.influences;
            out.insert(out.end(), {packed[0] | packed[1] << 16, packed[2] | packed[3] << 16});
            for (const float weight : share)
                out.push_back(std::bit_cast<std::uint32_t>(weight));
        }
    }
    if (odd != 0)
        warn("gltf/joint-weights",
             fmt::format("{}: the weights of {} vertices do not have the sum 1; they were "
                         "scaled to it",
                         owner, odd));
    return {};
}

Result<void> MotionReader::read_targets(int node, const tinygltf::Primitive& primitive,
                                        const Geometry& geometry, MotionRange& range,
                                        const std::string& owner) {
    const tinygltf::Node& source = model_.nodes[static_cast<std::size_t>(node)];
    const auto& mesh = model_.meshes[static_cast<std::size_t>(source.mesh)];
    const auto count = static_cast<std::uint32_t>(primitive.targets.size());
    const std::int32_t visited = visited_[static_cast<std::size_t>(node)];
    std::int32_t& group = groups_[static_cast<std::size_t>(visited)];
    if (group < 0) {
        group = static_cast<std::int32_t>(group_counts_.size());
        group_counts_.push_back(count);
        group_starts_.push_back(static_cast<std::uint32_t>(motion_.weights.size()));
        const auto& rest = source.weights.empty() ? mesh.weights : source.weights;
        for (std::uint32_t target = 0; target < count; ++target) {
            const float weight = target < rest.size() ? static_cast<float>(rest[target]) : 0.0f;
            if (!std::isfinite(weight))
                return fail("gltf/not-finite",
                            fmt::format("{}: a weight is infinite or not a number", owner));
            motion_.weights.push_back({.rest = weight,
                                       .group = static_cast<std::uint32_t>(group),
                                       .target = target,
                                       .count = count});
        }
    }
    if (group_counts_[static_cast<std::size_t>(group)] != count)
        return fail("gltf/schema",
                    fmt::format("{}: it has {} morph targets, the first primitive has {}", owner,
                                count, group_counts_[static_cast<std::size_t>(group)]));
    range.first_weight = group_starts_[static_cast<std::size_t>(group)];
    range.target_count = count;
    range.first_delta = static_cast<std::uint32_t>(motion_.deltas.size());
    const bool normals = primitive.attributes.contains("NORMAL");
    for (const auto& target : primitive.targets) {
        range.has_normals |= normals && target.contains("NORMAL");
        range.has_tangents |= normals && target.contains("TANGENT");
    }
    const std::size_t each = 3 * (1 + range.has_normals + range.has_tangents);
    if (motion_.deltas.size() + geometry.vertices.size() * each * count > kMaxMotionWords)
        return too_large(owner, "displacements");
    const std::vector<std::uint32_t> origins = origins_of(geometry);
    for (std::size_t t = 0; t < primitive.targets.size(); ++t) {
        const std::size_t start = motion_.deltas.size();
        motion_.deltas.resize(start + origins.size() * each);
        std::size_t offset = 0;
        for (const char* name : {"POSITION", "NORMAL", "TANGENT"}) {
            if (name[0] == 'N' && range.has_normals == 0) continue;
            if (name[0] == 'T' && range.has_tangents == 0) continue;
            const auto found = primitive.targets[t].find(name);
            if (found != primitive.targets[t].end()) {
                auto read =
                    read_attribute(model_, found->second, 3, source_count(model_, primitive),
                                   fmt::format("{}, target {}: {}", owner, t, name));
                if (!read) return propagate(std::move(read));
                for (std::size_t i = 0; i < origins.size(); ++i)
                    for (std::size_t c = 0; c < 3; ++c)
                        motion_.deltas[start + i * each + offset + c] =
                            read->values[3 * origins[i] + c];
            }
            offset += 3;
        }
    }
    return {};
}

void MotionReader::place(std::size_t transforms, std::int32_t visited) {
    motion_.places.resize(transforms, glm::ivec2(visited, 0));
}

Result<void> MotionReader::read_skin(std::size_t index) {
    const tinygltf::Skin& skin = model_.skins[index];
    const std::string owner = fmt::format("skin {}", index);
    FloatArray matrices;
    if (skin.inverseBindMatrices >= 0) {
        auto read =
            read_floats(model_, skin.inverseBindMatrices, owner + ": inverse bind matrices");
        if (!read) return propagate(std::move(read));
        if (read->components != 16 || read->count() < skin.joints.size())
            return fail("gltf/skin",
                        fmt::format("{}: {} inverse bind matrices of {} numbers for {} joints",
                                    owner, read->count(), read->components, skin.joints.size()));
        matrices = std::move(*read);
    }
    for (std::size_t i = 0; i < skin.joints.size(); ++i) {
        const std::int32_t node = visited_[static_cast<std::size_t>(skin.joints[i])];
        if (node < 0)
            return fail("gltf/skin",
                        fmt::format("{}: joint {} is node {}, which is not in the scene", owner, i,
                                    skin.joints[i]));
        MotionJoint joint{.node = static_cast<std::uint32_t>(node)};
        for (std::size_t row = 0; row < 3; ++row)
            for (std::size_t column = 0; column < 4; ++column) {
                const float value = matrices.count() == 0
                                        ? (row == column ? 1.0f : 0.0f)
                                        : matrices.values[16 * i + 4 * column + row];
                if (!std::isfinite(value))
                    return fail("gltf/not-finite",
                                fmt::format("{}: the inverse bind matrix of joint {} is infinite "
                                            "or not a number",
                                            owner, i));
                joint.inverse_bind[row][static_cast<int>(column)] = value;
            }
        motion_.joints.push_back(joint);
    }
    return {};
}

void MotionReader::carry_camera(std::size_t camera, std::int32_t visited) {
    motion_.cameras.push_back({.index = static_cast<std::uint32_t>(camera), .node = visited});
}

void MotionReader::carry_light(std::size_t light, std::int32_t visited) {
    motion_.lights.push_back({.index = static_cast<std::uint32_t>(light), .node = visited});
}

void MotionReader::open_camera(std::size_t camera) {
    motion_.open_cameras.push_back(static_cast<std::uint32_t>(camera));
}

/// Nodes that no clip reaches need not be looked at in each frame.
void MotionReader::leave_still_nodes(std::int32_t root) {
    std::vector<bool> moving(motion_.nodes.size());
    for (std::size_t i = 0; i < moving.size(); ++i) {
        const std::int32_t parent = motion_.nodes[i].parent;
        moving[i] = parent >= 0 && moving[static_cast<std::size_t>(parent)];
        for (const SceneClip& clip : motion_.clips)
            moving[i] = moving[i] || clip.node_channels[i] != glm::ivec4(-1);
    }
    for (glm::ivec2& place : motion_.places) {
        if (place.x >= 0 && !moving[static_cast<std::size_t>(place.x)]) place.x = -1;
        place.y = root;
    }
    for (auto* followers : {&motion_.cameras, &motion_.lights}) {
        std::erase_if(*followers, [&](const MotionFollower& follower) {
            return !moving[static_cast<std::size_t>(follower.node)];
        });
        for (MotionFollower& follower : *followers)
            follower.root = root;
    }
}

Result<std::shared_ptr<const SceneMotion>> MotionReader::finish(std::int32_t root,
                                                                Diagnostics& warnings) {
    motion_.weight_groups = static_cast<std::uint32_t>(group_counts_.size());
    const bool skinned = std::ranges::any_of(
        motion_.ranges, [](const MotionRange& range) { return range.influence_sets != 0; });
    for (std::size_t i = 0; skinned && i < model_.skins.size(); ++i)
        if (auto done = read_skin(i); !done) return propagate(std::move(done));
    auto done = read_clips(model_, visited_, groups_, group_counts_, motion_, warnings);
    if (!done) return propagate(std::move(done));
    motion_.places.push_back({-1, root});
    leave_still_nodes(root);
    return std::make_shared<const SceneMotion>(std::move(motion_));
}

} // namespace tuff::gltf
