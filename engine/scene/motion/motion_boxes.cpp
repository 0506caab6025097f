#include "scene/motion/motion_boxes.hpp"

#include "scene/far_plane.hpp"
#include "scene/mesh/placed_draws.hpp"
#include "scene/motion/motion_pose.hpp"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <utility>

namespace tuff {
namespace {

constexpr std::uint32_t kSetWords = 6; // of SceneMotion::influences
constexpr int kReachSteps = 64;        // of a clip
constexpr float kRounding = 1e-5f;     // of what kernels compute, against the greatest coordinate

Bounds box_of(const SceneData& scene, std::uint32_t first, std::uint32_t count) {
    Bounds box;
    for (std::uint32_t v = 0; v < count; ++v)
        box.grow(scene.vertices[first + v].position);
    return box;
}

void unite(Bounds& all, const Bounds& box) {
    all.min = glm::min(all.min, box.min);
    all.max = glm::max(all.max, box.max);
}

/// For each joint the vertices that follow it at all: a vertex lies between its places.
std::map<std::uint32_t, Bounds> boxes_of_joints(const SceneData& scene, const MotionRange& range) {
    std::map<std::uint32_t, Bounds> boxes;
    for (std::uint32_t v = 0; v < range.vertex_count; ++v)
        for (std::uint32_t set = 0; set < range.influence_sets; ++set) {
            const std::uint32_t* words =
                &scene.motion->influences[range.first_influence +
                                          (v * range.influence_sets + set) * kSetWords];
            for (std::uint32_t i = 0; i < 4; ++i)
                if (std::bit_cast<float>(words[2 + i]) != 0.0f)
                    boxes[range.first_joint + (words[i >> 1] >> (16 * (i & 1)) & 0xffffu)].grow(
                        scene.vertices[range.first_vertex + v].position);
        }
    return boxes;
}

std::vector<Bounds> boxes_of_targets(const SceneMotion& motion, const MotionRange& range) {
    std::vector<Bounds> boxes(range.target_count);
    const std::uint32_t stride = 3 * (1 + range.has_normals + range.has_tangents);
    for (std::uint32_t target = 0; target < range.target_count; ++target)
        for (std::uint32_t v = 0; v < range.vertex_count; ++v) {
            const float* delta =
                &motion.deltas[range.first_delta + (target * range.vertex_count + v) * stride];
            boxes[target].grow({delta[0], delta[1], delta[2]});
        }
    return boxes;
}

/// What a box's vertices are in after morph targets.
Bounds morphed(const SceneMotion& motion, const MotionBox& box, const MotionPose& pose) {
    Bounds result = box.bounds;
    if (box.range < 0) return result;
    const auto range = static_cast<std::size_t>(box.range);
    const std::vector<Bounds>& targets = motion.target_bounds[range];
    for (std::size_t t = 0; t < targets.size(); ++t) {
        const auto weight = static_cast<float>(pose.weights[motion.ranges[range].first_weight + t]);
        const glm::vec3 a = weight * targets[t].min;
        const glm::vec3 b = weight * targets[t].max;
        result.min += glm::min(a, b);
        result.max += glm::max(a, b);
    }
    return result;
}

/// What takes a box to the file's coordinates; nothing where no node that moves does.
std::optional<glm::mat4> carrier(const SceneMotion& motion, const MotionBox& box,
                                 std::int32_t placing_node, const MotionPose& pose) {
    if (box.joint < 0) {
        if (placing_node < 0) return {};
        return glm::mat4(pose.worlds[static_cast<std::size_t>(placing_node)]);
    }
    const MotionJoint& joint = motion.joints[static_cast<std::size_t>(box.joint)];
    const glm::mat4 bind =
        glm::transpose(glm::mat4(joint.inverse_bind[0], joint.inverse_bind[1],
                                 joint.inverse_bind[2], glm::vec4(0.0f, 0.0f, 0.0f, 1.0f)));
    return glm::mat4(pose.worlds[joint.node] * glm::dmat4(bind));
}

glm::ivec2 place_of(const SceneMotion& motion, const SceneData& scene, const MotionBox& box) {
    return motion.places[scene.draws[box.draw].transform];
}

Bounds with_room(Bounds box) {
    if (box.empty()) return box;
    const glm::vec3 most = glm::max(glm::abs(box.min), glm::abs(box.max));
    const float room = kRounding * std::max({most.x, most.y, most.z});
    box.min -= room;
    box.max += room;
    return box;
}

std::vector<ClipReach> reaches_of(const SceneMotion& motion, const SceneData& scene,
                                  std::uint32_t clip) {
    std::map<std::int32_t, Bounds> all;
    for (int step = 0; step <= kReachSteps; ++step) {
        const float time =
            motion.clips[clip].duration * static_cast<float>(step) / float{kReachSteps};
        const MotionPose pose = pose_motion(motion, {.clip = clip, .time = time});
        for (const MotionBox& box : motion.boxes) {
            const glm::ivec2 place = place_of(motion, scene, box);
            if (const auto matrix = carrier(motion, box, place.x, pose))
                unite(all[place.y], placed_box(morphed(motion, box, pose), *matrix));
        }
    }
    std::vector<ClipReach> reaches;
    for (const auto& [root, bounds] : all)
        reaches.push_back({root, bounds});
    return reaches;
}

void place_cameras(SceneData& posed, const MotionPose& pose) {
    for (const MotionFollower& follower : posed.motion->cameras) {
        const glm::mat4 world = posed.transforms[static_cast<std::size_t>(follower.root)].world *
                                glm::mat4(pose.worlds[static_cast<std::size_t>(follower.node)]);
        Camera& camera = posed.cameras[follower.index].camera;
        camera.position = glm::vec3(world[3]);
        camera.target = camera.position - glm::vec3(world[2]);
        camera.up = glm::vec3(world[1]);
    }
    for (const std::uint32_t open : posed.motion->open_cameras) {
        Camera& camera = posed.cameras[open].camera;
        camera.far_plane = far_plane_about(camera, posed.bounds);
    }
}

void place_lights(SceneData& posed, const MotionPose& pose) {
    for (const MotionFollower& follower : posed.motion->lights) {
        SceneLight& light = posed.lights[follower.index];
        light.position = glm::vec3(0.0f);
        light.direction = glm::vec3(0.0f, 0.0f, -1.0f); // as every light of a file before its node
        place_light(light, posed.transforms[static_cast<std::size_t>(follower.root)].world *
                               glm::mat4(pose.worlds[static_cast<std::size_t>(follower.node)]));
    }
}

void place_bounds(SceneData& posed, const MotionMoment& moment, const MotionPose& pose) {
    const SceneMotion& motion = *posed.motion;
    for (const MotionBox& box : motion.boxes)
        posed.draw_bounds[box.draw] = {};
    for (const MotionBox& box : motion.boxes) {
        const glm::ivec2 place = place_of(motion, posed, box);
        const auto matrix = carrier(motion, box, place.x, pose);
        const glm::mat4 world =
            matrix ? posed.transforms[static_cast<std::size_t>(place.y)].world * *matrix
                   : posed.transforms[posed.draws[box.draw].transform].world;
        unite(posed.draw_bounds[box.draw],
              with_room(placed_box(morphed(motion, box, pose), world)));
    }
    posed.bounds = {};
    for (const Bounds& box : posed.draw_bounds)
        unite(posed.bounds, box);
    const auto reach = [&](std::uint32_t clip) {
        if (clip == kNoClip) return;
        for (const ClipReach& of_root : motion.clips[clip].reaches)
            unite(posed.bounds,
                  placed_box(of_root.bounds,
                             posed.transforms[static_cast<std::size_t>(of_root.root)].world));
    };
    reach(moment.clip);
    if (moment.blend > 0.0f) reach(moment.second_clip);
}

} // namespace

void add_boxes(SceneMotion& packed, const SceneData& scene) {
    std::map<std::uint32_t, std::int32_t> range_at; // by first vertex
    for (std::size_t i = 0; i < packed.ranges.size(); ++i) {
        range_at[packed.ranges[i].first_vertex] = static_cast<std::int32_t>(i);
        packed.target_bounds.push_back(boxes_of_targets(*scene.motion, packed.ranges[i]));
    }
    std::map<std::int32_t, Bounds> at_rest; // of meshes that many nodes draw, by first vertex
    for (std::uint32_t d = 0; d < scene.draws.size(); ++d) {
        const SceneDraw& draw = scene.draws[d];
        const auto own = range_at.find(static_cast<std::uint32_t>(draw.vertex_offset));
        const std::int32_t range = own == range_at.end() ? -1 : own->second;
        const bool skinned =
            range >= 0 && packed.ranges[static_cast<std::size_t>(range)].influence_sets > 0;
        if (skinned) {
            for (const auto& [joint, box] :
                 boxes_of_joints(scene, packed.ranges[static_cast<std::size_t>(range)]))
                packed.boxes.push_back({d, static_cast<std::int32_t>(joint), range, box});
        } else if (range >= 0 || packed.places[draw.transform].x >= 0) {
            auto box = at_rest.find(draw.vertex_offset);
            if (box == at_rest.end())
                box = at_rest
                          .emplace(draw.vertex_offset,
                                   box_of(scene, static_cast<std::uint32_t>(draw.vertex_offset),
                                          draw.vertex_count))
                          .first;
            packed.boxes.push_back({d, -1, range, box->second});
        }
    }
    for (std::uint32_t clip = 0; clip < packed.clips.size(); ++clip)
        packed.clips[clip].reaches = reaches_of(packed, scene, clip);
}

SceneData pose_scene(const SceneData& scene, const MotionMoment& moment) {
    const MotionPose pose = pose_motion(*scene.motion, moment);
    SceneData posed = scene;
    place_bounds(posed, moment, pose);
    place_cameras(posed, pose);
    place_lights(posed, pose);
    return posed;
}

} // namespace tuff
