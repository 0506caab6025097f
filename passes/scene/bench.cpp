#include "apps/bench/checks.hpp"
#include "passes/scene/animate.hpp"

#include <tuff/scene_motion.hpp>
#include <tuff/scene_resources.hpp>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/quaternion.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <vector>

/// Figures that move. A size is vertices.
namespace tuff::bench {
namespace {

using passes::Animate;

constexpr std::uint32_t kBenchJoints = 64;
constexpr std::uint32_t kBenchKeys = 60; // of each joint
constexpr float kBenchTime = 0.7251f;    // a second long

/// Numbers in [-1, 1) that are the same everywhere.
float scattered(std::uint64_t i) {
    const std::uint64_t mixed = (i + 1) * 0x9e3779b97f4a7c15ull;
    return static_cast<float>((mixed ^ mixed >> 29) >> 40 & 0xffffffu) * 0x1p-23f - 1.0f;
}

glm::vec4 key_of(std::uint32_t joint, std::uint32_t key) {
    const std::uint64_t at = std::uint64_t{joint} * 1000 + key;
    return glm::normalize(glm::vec4(0.3f * scattered(4 * at), 0.3f * scattered(4 * at + 1),
                                    0.3f * scattered(4 * at + 2), 1.0f));
}

std::uint32_t joint_of(std::uint64_t vertex, std::uint32_t i) {
    return static_cast<std::uint32_t>(vertex / 37 * 5 + i * 7) % kBenchJoints;
}

/// A binary tree of joints that all turn, and vertices that follow four or eight of them.
SceneData crowd(std::uint64_t vertices, std::uint32_t sets) {
    auto motion = std::make_shared<SceneMotion>();
    SceneClip clip{.name = "turn", .duration = 1.0f};
    for (std::uint32_t key = 0; key < kBenchKeys; ++key)
        motion->keys.push_back(static_cast<float>(key) / (kBenchKeys - 1));
    for (std::uint32_t j = 0; j < kBenchJoints; ++j) {
        MotionNode node{.parent = (static_cast<std::int32_t>(j) + 1) / 2 - 1};
        node.translation = {0.2f * scattered(j), 0.3f, 0.1f};
        node.local = glm::translate(glm::mat4(1.0f), node.translation);
        motion->nodes.push_back(node);
        clip.node_channels.emplace_back(-1, j, -1, -1);
        motion->channels.push_back(
            {.key_count = kBenchKeys,
             .first_value = static_cast<std::uint32_t>(motion->keys.size())});
        for (std::uint32_t key = 0; key < kBenchKeys; ++key) {
            const glm::vec4 q = key_of(j, key);
            motion->keys.insert(motion->keys.end(), {q.x, q.y, q.z, q.w});
        }
        MotionJoint joint{.node = j};
        joint.inverse_bind = {glm::vec4(1, 0, 0, 0), glm::vec4(0, 1, 0, -0.3f),
                              glm::vec4(0, 0, 1, 0)};
        motion->joints.push_back(joint);
    }
    motion->clips.push_back(std::move(clip));
    motion->places = {{-1, 0}};
    motion->ranges.push_back(
        {.vertex_count = static_cast<std::uint32_t>(vertices), .influence_sets = sets});
    SceneData scene;
    scene.vertices.resize(vertices);
    for (std::uint64_t v = 0; v < vertices; ++v) {
        scene.vertices[v].position = {scattered(3 * v), scattered(3 * v + 1), scattered(3 * v + 2)};
        for (std::uint32_t set = 0; set < sets; ++set) {
            const auto joint = [&](std::uint32_t i) { return joint_of(v, 4 * set + i); };
            motion->influences.insert(motion->influences.end(),
                                      {joint(0) | joint(1) << 16, joint(2) | joint(3) << 16});
            for (int i = 0; i < 4; ++i)
                motion->influences.push_back(
                    std::bit_cast<std::uint32_t>(0.25f / static_cast<float>(sets)));
        }
    }
    scene.indices = {0, 1, 2};
    scene.transforms.emplace_back();
    scene.materials.emplace_back();
    scene.draws.push_back({.index_count = 3, .vertex_count = static_cast<std::uint32_t>(vertices)});
    scene.draw_bounds.emplace_back();
    scene.motion = std::move(motion);
    return scene;
}

/// The same matrices in double precision.
std::vector<glm::dmat4> posed_joints() {
    const double at = static_cast<double>(kBenchTime) * (kBenchKeys - 1);
    const auto key = static_cast<std::uint32_t>(at);
    std::vector<glm::dmat4> worlds;
    std::vector<glm::dmat4> joints;
    for (std::uint32_t j = 0; j < kBenchJoints; ++j) {
        const auto turn = [&](std::uint32_t k) {
            const glm::dvec4 q(key_of(j, k));
            return glm::normalize(glm::dquat(q.w, q.x, q.y, q.z));
        };
        const glm::dvec3 place(static_cast<double>(0.2f * scattered(j)), static_cast<double>(0.3f),
                               static_cast<double>(0.1f));
        const glm::dmat4 local = glm::translate(glm::dmat4(1.0), place) *
                                 glm::mat4_cast(glm::slerp(turn(key), turn(key + 1), at - key));
        worlds.push_back(j == 0 ? local : worlds[(j + 1) / 2 - 1] * local);
        joints.push_back(worlds.back() * glm::translate(glm::dmat4(1.0), {0.0, -0.3, 0.0}));
    }
    return joints;
}

void skin_crowd(CaseBuilder& c, std::uint32_t sets) {
    const std::uint64_t vertices = c.size();
    const Scene source = add_scene(c.graph(), "crowd", pack_scene(crowd(vertices, sets)));
    const Buffer moved = c.add(Animate{.source = source, .time = kBenchTime}).scene.vertices;
    c.check<Vertex>("vertices", moved, [vertices, sets](std::span<const Vertex> got) -> Verdict {
        if (got.size() != vertices)
            return std::unexpected(fmt::format("there are {} vertices", got.size()));
        const std::vector<glm::dmat4> joints = posed_joints();
        for (std::uint64_t v = 0; v < vertices; ++v) {
            glm::dmat4 matrix(0.0);
            for (std::uint32_t i = 0; i < 4 * sets; ++i)
                matrix += joints[joint_of(v, i)] * (0.25 / sets);
            const glm::dvec3 rest(static_cast<double>(scattered(3 * v)),
                                  static_cast<double>(scattered(3 * v + 1)),
                                  static_cast<double>(scattered(3 * v + 2)));
            const glm::dvec3 expected(matrix * glm::dvec4(rest, 1.0));
            const double off = glm::distance(expected, glm::dvec3(got[v].position));
            if (!(off < 2e-5)) return std::unexpected(fmt::format("vertex {} is {} off", v, off));
        }
        return {};
    });
}

} // namespace

void add_scene_cases(CaseList& cases) {
    for (const std::uint32_t sets : {1u, 2u})
        cases.add({.pass = std::string(Animate::kName),
                   .name = fmt::format("skin of {} joints a vertex", 4 * sets),
                   .build = [sets](CaseBuilder& c) { skin_crowd(c, sets); },
                   .least = 3,
                   .most = std::uint64_t{1} << 24,
                   .most_on_software = std::uint64_t{1} << 16});
}

} // namespace tuff::bench
