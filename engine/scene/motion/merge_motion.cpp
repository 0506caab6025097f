#include "scene/motion/merge_motion.hpp"

#include "scene/motion/motion_boxes.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace tuff {
namespace {

std::uint32_t length_of(const auto& list) {
    return static_cast<std::uint32_t>(list.size());
}

void append_all(auto& whole, const auto& part) {
    whole.insert(whole.end(), part.begin(), part.end());
}

/// What the arrays of the parts before have.
struct Offsets {
    std::int32_t nodes = 0;
    std::int32_t channels = 0;
    std::uint32_t transforms = 0;
    std::uint32_t vertices = 0;
    std::uint32_t cameras = 0;
    std::uint32_t lights = 0;
};

SceneClip& clip_named(SceneMotion& whole, const std::string& name) {
    const auto found = std::ranges::find(whole.clips, name, &SceneClip::name);
    if (found != whole.clips.end()) return *found;
    return whole.clips.emplace_back(SceneClip{.name = name});
}

void add_clips(SceneMotion& whole, const SceneMotion& part, const Offsets& before) {
    for (const SceneClip& source : part.clips) {
        SceneClip& clip = clip_named(whole, source.name);
        clip.duration = std::max(clip.duration, source.duration);
        clip.node_channels.resize(static_cast<std::size_t>(before.nodes), glm::ivec4(-1));
        clip.weight_channels.resize(whole.weight_groups, -1);
        for (const glm::ivec4& of_node : source.node_channels) {
            glm::ivec4 moved = of_node;
            for (int path = 0; path < 3; ++path)
                if (moved[path] >= 0) moved[path] += before.channels;
            clip.node_channels.push_back(moved);
        }
        for (const std::int32_t channel : source.weight_channels)
            clip.weight_channels.push_back(channel < 0 ? -1 : channel + before.channels);
    }
}

void add_motion(SceneMotion& whole, const SceneMotion& part, const Offsets& before) {
    const std::uint32_t keys = length_of(whole.keys);
    const std::uint32_t weights = length_of(whole.weights);
    const std::uint32_t joints = length_of(whole.joints);
    const std::uint32_t influences = length_of(whole.influences);
    const std::uint32_t deltas = length_of(whole.deltas);
    add_clips(whole, part, before);
    for (MotionNode node : part.nodes) {
        if (node.parent >= 0) node.parent += before.nodes;
        whole.nodes.push_back(node);
    }
    for (MotionChannel channel : part.channels) {
        channel.first_time += keys;
        channel.first_value += keys;
        whole.channels.push_back(channel);
    }
    for (MotionWeight weight : part.weights) {
        weight.group += whole.weight_groups;
        whole.weights.push_back(weight);
    }
    for (MotionJoint joint : part.joints) {
        joint.node += static_cast<std::uint32_t>(before.nodes);
        whole.joints.push_back(joint);
    }
    for (glm::ivec2 place : part.places) {
        if (place.x >= 0) place.x += before.nodes;
        place.y += static_cast<std::int32_t>(before.transforms);
        whole.places.push_back(place);
    }
    for (MotionRange range : part.ranges) {
        range.first_vertex += before.vertices;
        range.first_joint += joints;
        range.first_influence += influences;
        range.first_weight += weights;
        range.first_delta += deltas;
        whole.ranges.push_back(range);
    }
    const auto follow = [&](std::vector<MotionFollower>& all,
                            const std::vector<MotionFollower>& own, std::uint32_t first) {
        for (MotionFollower follower : own) {
            follower.index += first;
            follower.node += before.nodes;
            follower.root += static_cast<std::int32_t>(before.transforms);
            all.push_back(follower);
        }
    };
    follow(whole.cameras, part.cameras, before.cameras);
    follow(whole.lights, part.lights, before.lights);
    for (const std::uint32_t camera : part.open_cameras)
        whole.open_cameras.push_back(before.cameras + camera);
    whole.weight_groups += part.weight_groups;
    append_all(whole.keys, part.keys);
    append_all(whole.influences, part.influences);
    append_all(whole.deltas, part.deltas);
}

/// An array as bytes; one element of zeros where it is empty, for a buffer cannot be.
template <typename T>
MotionBytes::Bytes pack_array(const std::vector<T>& elements) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<std::byte> bytes(std::max<std::size_t>(elements.size(), 1) * sizeof(T));
    if (!elements.empty()) std::memcpy(bytes.data(), elements.data(), elements.size() * sizeof(T));
    return std::make_shared<const std::vector<std::byte>>(std::move(bytes));
}

} // namespace

std::shared_ptr<const SceneMotion> merge_motions(std::span<const ScenePart> parts) {
    if (std::ranges::none_of(parts,
                             [](const ScenePart& part) { return part.scene->motion != nullptr; }))
        return nullptr;
    auto whole = std::make_shared<SceneMotion>();
    Offsets before;
    for (const ScenePart& part : parts) {
        const SceneData& scene = *part.scene;
        if (scene.motion)
            add_motion(*whole, *scene.motion, before);
        else
            whole->places.resize(before.transforms + scene.transforms.size(), glm::ivec2(-1, 0));
        before.nodes = static_cast<std::int32_t>(whole->nodes.size());
        before.channels = static_cast<std::int32_t>(whole->channels.size());
        before.transforms += length_of(scene.transforms);
        before.vertices += length_of(scene.vertices);
        before.cameras += length_of(scene.cameras);
        before.lights += length_of(scene.lights);
    }
    for (SceneClip& clip : whole->clips) {
        clip.node_channels.resize(whole->nodes.size(), glm::ivec4(-1));
        clip.weight_channels.resize(whole->weight_groups, -1);
    }
    return whole;
}

std::shared_ptr<const SceneMotion> pack_motion(const SceneData& scene) {
    const SceneMotion& motion = *scene.motion;
    auto packed = std::make_shared<SceneMotion>();
    std::vector<glm::ivec4> node_channels;
    std::vector<std::int32_t> weight_channels;
    for (const SceneClip& clip : motion.clips) {
        append_all(node_channels, clip.node_channels);
        append_all(weight_channels, clip.weight_channels);
        packed->clips.push_back({.name = clip.name, .duration = clip.duration});
    }
    packed->nodes = motion.nodes;
    packed->weights = motion.weights;
    packed->joints = motion.joints;
    packed->places = motion.places;
    packed->ranges = motion.ranges;
    packed->weight_groups = motion.weight_groups;
    packed->cameras = motion.cameras;
    packed->lights = motion.lights;
    packed->open_cameras = motion.open_cameras;
    packed->packed = {.nodes = pack_array(motion.nodes),
                      .node_channels = pack_array(node_channels),
                      .weight_channels = pack_array(weight_channels),
                      .channels = pack_array(motion.channels),
                      .keys = pack_array(motion.keys),
                      .weights = pack_array(motion.weights),
                      .joints = pack_array(motion.joints),
                      .places = pack_array(motion.places),
                      .ranges = pack_array(motion.ranges),
                      .influences = pack_array(motion.influences),
                      .deltas = pack_array(motion.deltas)};
    add_boxes(*packed, scene);
    return packed;
}

} // namespace tuff
