#include "scene/motion/motion_pose.hpp"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

namespace tuff {
namespace {

template <typename T>
std::span<const T> elements(const MotionBytes::Bytes& bytes) {
    return {reinterpret_cast<const T*>(bytes->data()), bytes->size() / sizeof(T)};
}

glm::dquat quaternion(glm::dvec4 v) {
    const double size = glm::length(v);
    return size > 0.0 ? glm::dquat(v.w / size, v.x / size, v.y / size, v.z / size)
                      : glm::dquat(1.0, 0.0, 0.0, 0.0);
}

glm::dvec4 vector(const glm::dquat& q) {
    return {q.x, q.y, q.z, q.w};
}

/// One clip at one time.
class ClipAt {
  public:
    ClipAt(const SceneMotion& motion, std::uint32_t clip, float time)
        : motion_(motion), channels_(elements<MotionChannel>(motion.packed.channels)),
          keys_(elements<float>(motion.packed.keys)), time_(time) {
        if (clip == kNoClip) return;
        of_nodes_ = elements<glm::ivec4>(motion.packed.node_channels)
                        .subspan(clip * motion.nodes.size(), motion.nodes.size());
        if (motion.weight_groups > 0)
            of_weights_ =
                elements<std::int32_t>(motion.packed.weight_channels)
                    .subspan(std::size_t{clip} * motion.weight_groups, motion.weight_groups);
    }

    bool moves(std::size_t node) const {
        return !of_nodes_.empty() &&
               glm::any(glm::greaterThanEqual(glm::ivec3(of_nodes_[node]), glm::ivec3(0)));
    }
    glm::dvec3 translation(std::size_t node) const {
        return glm::dvec3(value(node, 0, glm::dvec4(motion_.nodes[node].translation, 0.0), 3));
    }
    glm::dquat rotation(std::size_t node) const {
        return quaternion(value(node, 1, glm::dvec4(motion_.nodes[node].rotation), 4));
    }
    glm::dvec3 scale(std::size_t node) const {
        return glm::dvec3(value(node, 2, glm::dvec4(motion_.nodes[node].scale, 0.0), 3));
    }
    double weight(const MotionWeight& weight) const {
        const std::int32_t channel = of_weights_.empty() ? -1 : of_weights_[weight.group];
        return channel < 0 ? static_cast<double>(weight.rest)
                           : at(channel, weight.count, weight.target, 1, false).x;
    }

  private:
    glm::dvec4 value(std::size_t node, int path, glm::dvec4 rest, std::uint32_t components) const {
        const std::int32_t channel = of_nodes_.empty() ? -1 : of_nodes_[node][path];
        return channel < 0 ? rest : at(channel, components, 0, components, path == 1);
    }

    /// `components` floats, from float `offset` of the `stride` of a key.
    glm::dvec4 at(std::int32_t index, std::uint32_t stride, std::uint32_t offset,
                  std::uint32_t components, bool rotation) const {
        const MotionChannel& channel = channels_[static_cast<std::size_t>(index)];
        const auto times = keys_.subspan(channel.first_time, channel.key_count);
        const auto after = std::ranges::upper_bound(times, time_);
        const auto key =
            static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - times.begin() - 1, 0));
        const bool cubic = channel.interpolation == Interpolation::cubic;
        const std::size_t key_floats = std::size_t{stride} * (cubic ? 3 : 1);
        const auto part = [&](std::size_t of_key, std::size_t which) {
            const std::size_t first =
                channel.first_value + of_key * key_floats + which * stride + offset;
            glm::dvec4 v(0.0);
            for (std::uint32_t c = 0; c < components; ++c)
                v[static_cast<int>(c)] = static_cast<double>(keys_[first + c]);
            return v;
        };
        const glm::dvec4 start = part(key, cubic ? 1 : 0);
        if (key + 1 >= times.size() || time_ <= times[key] ||
            channel.interpolation == Interpolation::step)
            return start;
        const double span = static_cast<double>(times[key + 1]) - static_cast<double>(times[key]);
        const double u = (static_cast<double>(time_) - static_cast<double>(times[key])) / span;
        if (cubic)
            return (2 * u * u * u - 3 * u * u + 1) * start +
                   span * (u * u * u - 2 * u * u + u) * part(key, 2) +
                   (3 * u * u - 2 * u * u * u) * part(key + 1, 1) +
                   span * (u * u * u - u * u) * part(key + 1, 0);
        const glm::dvec4 end = part(key + 1, 0);
        return rotation ? vector(glm::slerp(quaternion(start), quaternion(end), u))
                        : glm::mix(start, end, u);
    }

    const SceneMotion& motion_;
    std::span<const MotionChannel> channels_;
    std::span<const float> keys_;
    std::span<const glm::ivec4> of_nodes_;     // none: all is at rest
    std::span<const std::int32_t> of_weights_; // none: all are at rest
    float time_;
};

} // namespace

MotionPose pose_motion(const SceneMotion& motion, const MotionMoment& moment) {
    const ClipAt first(motion, moment.clip, moment.time);
    const ClipAt second(motion, moment.second_clip, moment.second_time);
    const auto share = static_cast<double>(moment.blend);
    const bool both = moment.blend > 0.0f;
    MotionPose pose;
    pose.worlds.reserve(motion.nodes.size());
    for (std::size_t i = 0; i < motion.nodes.size(); ++i) {
        const MotionNode& node = motion.nodes[i];
        glm::dmat4 local(node.local);
        if (first.moves(i) || (both && second.moves(i))) {
            glm::dvec3 translation = first.translation(i);
            glm::dquat rotation = first.rotation(i);
            glm::dvec3 scale = first.scale(i);
            if (both) {
                translation = glm::mix(translation, second.translation(i), share);
                rotation = glm::slerp(rotation, second.rotation(i), share);
                scale = glm::mix(scale, second.scale(i), share);
            }
            local = glm::scale(
                glm::translate(glm::dmat4(1.0), translation) * glm::mat4_cast(rotation), scale);
        }
        pose.worlds.push_back(
            node.parent < 0 ? local : pose.worlds[static_cast<std::size_t>(node.parent)] * local);
    }
    for (const MotionWeight& weight : motion.weights) {
        const double alone = first.weight(weight);
        pose.weights.push_back(both ? glm::mix(alone, second.weight(weight), share) : alone);
    }
    return pose;
}

} // namespace tuff
