#include "scene/gltf/gltf_accessor.hpp"
#include "scene/gltf/gltf_motion.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace tuff::gltf {
namespace {

constexpr std::uint64_t kMaxKeyFloats = 1ull << 26;
constexpr std::uint64_t kMaxTable = 1ull << 24; // nodes times clips

enum class Path : std::uint8_t { translation, rotation, scale, weights };

std::optional<Path> path_of(const std::string& name) {
    if (name == "translation") return Path::translation;
    if (name == "rotation") return Path::rotation;
    if (name == "scale") return Path::scale;
    if (name == "weights") return Path::weights;
    return {};
}

Result<void> refuse(const std::string& owner, const std::string& why) {
    return fail("gltf/animation", fmt::format("{}: {}", owner, why),
                "the file is damaged; export it again");
}

class ClipReader {
  public:
    ClipReader(const tinygltf::Model& model, const tinygltf::Animation& animation,
               std::string owner, SceneMotion& motion)
        : model_(model), animation_(animation), owner_(std::move(owner)), motion_(motion) {}

    /// The number of the channel with the keys of a sampler, each of `floats` floats.
    Result<std::int32_t> channel(int sampler, Path path, std::size_t floats) {
        const auto known = known_.find({sampler, path, floats});
        if (known != known_.end()) return known->second;
        const std::string owner = fmt::format("{}, sampler {}", owner_, sampler);
        if (sampler < 0 || static_cast<std::size_t>(sampler) >= animation_.samplers.size())
            return propagate(refuse(owner, "there is no such sampler"));
        const auto& source = animation_.samplers[static_cast<std::size_t>(sampler)];
        MotionChannel made;
        if (source.interpolation == "STEP")
            made.interpolation = Interpolation::step;
        else if (source.interpolation == "CUBICSPLINE")
            made.interpolation = Interpolation::cubic;
        else if (source.interpolation != "LINEAR" && !source.interpolation.empty())
            return propagate(
                refuse(owner, fmt::format("there is no interpolation '{}'", source.interpolation)));
        auto times = read_floats(model_, source.input, owner + ": times");
        if (!times) return propagate(std::move(times));
        if (auto sound = check_times(*times, owner); !sound) return propagate(std::move(sound));
        auto values = read_floats(model_, source.output, owner + ": values");
        if (!values) return propagate(std::move(values));
        if (auto sound = check_values(*values, times->count(), path, floats, made, owner); !sound)
            return propagate(std::move(sound));
        if (motion_.keys.size() + times->values.size() + values->values.size() > kMaxKeyFloats)
            return fail("gltf/too-large", fmt::format("{}: the scene has too many keys", owner));
        made.first_time = static_cast<std::uint32_t>(motion_.keys.size());
        made.key_count = static_cast<std::uint32_t>(times->count());
        append(times->values);
        made.first_value = static_cast<std::uint32_t>(motion_.keys.size());
        append(values->values);
        const auto index = static_cast<std::int32_t>(motion_.channels.size());
        motion_.channels.push_back(made);
        known_.emplace(std::tuple(sampler, path, floats), index);
        return index;
    }

  private:
    Result<void> check_times(const FloatArray& times, const std::string& owner) const {
        if (times.components != 1 || times.count() == 0)
            return refuse(owner, "its times are not numbers, or it has no keys");
        for (std::size_t i = 0; i < times.count(); ++i) {
            if (!std::isfinite(times.values[i]))
                return fail("gltf/not-finite",
                            fmt::format("{}: time {} is infinite or not a number", owner, i),
                            "the file is damaged; export it again");
            if (i > 0 && !(times.values[i] > times.values[i - 1]))
                return refuse(owner, fmt::format("its times do not increase: key {} is at {} s, "
                                                 "key {} at {} s",
                                                 i - 1, times.values[i - 1], i, times.values[i]));
        }
        return {};
    }

    static Result<void> check_values(FloatArray& values, std::size_t keys, Path path,
                                     std::size_t floats, const MotionChannel& channel,
                                     const std::string& owner) {
        const bool cubic = channel.interpolation == Interpolation::cubic;
        const std::size_t expected = keys * floats * (cubic ? 3 : 1);
        const bool shape =
            path == Path::weights ? values.components == 1 : values.components == floats;
        if (!shape || values.values.size() != expected)
            return refuse(owner, fmt::format("it has {} values of {} numbers for {} keys",
                                             values.count(), values.components, keys));
        for (std::size_t i = 0; i < values.values.size(); ++i)
            if (!std::isfinite(values.values[i]))
                return fail(
                    "gltf/not-finite",
                    fmt::format("{}: value {} is infinite or not a number", owner, i / floats),
                    "the file is damaged; export it again");
        if (path != Path::rotation) return {};
        for (std::size_t i = cubic ? 4 : 0; i < values.values.size(); i += cubic ? 12 : 4) {
            float* const v = &values.values[i];
            const float length = glm::length(glm::vec4(v[0], v[1], v[2], v[3]));
            if (!(length > 1e-6f)) return refuse(owner, "a rotation is zero");
            for (int c = 0; c < 4 && !cubic; ++c)
                v[c] /= length;
        }
        return {};
    }

    void append(const std::vector<float>& values) {
        motion_.keys.insert(motion_.keys.end(), values.begin(), values.end());
    }

    const tinygltf::Model& model_;
    const tinygltf::Animation& animation_;
    std::string owner_;
    SceneMotion& motion_;
    std::map<std::tuple<int, Path, std::size_t>, std::int32_t> known_;
};

} // namespace

Result<void> read_clips(const tinygltf::Model& model, const std::vector<std::int32_t>& visited,
                        const std::vector<std::int32_t>& groups,
                        const std::vector<std::uint32_t>& group_counts, SceneMotion& motion,
                        Diagnostics& warnings) {
    if (model.animations.size() * std::max<std::size_t>(motion.nodes.size(), 1) > kMaxTable)
        return fail("gltf/too-large", fmt::format("{} animations of {} nodes are too many",
                                                  model.animations.size(), motion.nodes.size()));
    bool skipped = false;
    for (std::size_t i = 0; i < model.animations.size(); ++i) {
        const tinygltf::Animation& animation = model.animations[i];
        SceneClip clip{.name = animation.name.empty() ? fmt::format("{}", i) : animation.name};
        // Names tell clips apart where scenes are put together.
        if (std::ranges::find(motion.clips, clip.name, &SceneClip::name) != motion.clips.end())
            clip.name += fmt::format(" ({})", i);
        clip.node_channels.assign(motion.nodes.size(), glm::ivec4(-1));
        clip.weight_channels.assign(group_counts.size(), -1);
        const std::string owner = fmt::format("animation {} '{}'", i, clip.name);
        ClipReader reader(model, animation, owner, motion);
        for (const tinygltf::AnimationChannel& channel : animation.channels) {
            const std::optional<Path> path = path_of(channel.target_path);
            if (channel.target_node < 0) continue;
            const auto file_node = static_cast<std::size_t>(channel.target_node);
            const std::int32_t node = visited[file_node];
            if (node < 0) continue; // of another scene of the file
            const bool weights = path == Path::weights;
            const std::int32_t group = groups[static_cast<std::size_t>(node)];
            if (!path || (weights && group < 0) ||
                (!weights && model.nodes[file_node].matrix.size() == 16)) {
                skipped = true;
                continue;
            }
            const std::size_t floats = weights ? group_counts[static_cast<std::size_t>(group)]
                                       : path == Path::rotation ? 4
                                                                : 3;
            auto index = reader.channel(channel.sampler, *path, floats);
            if (!index) return propagate(std::move(index));
            if (weights)
                clip.weight_channels[static_cast<std::size_t>(group)] = *index;
            else
                clip.node_channels[static_cast<std::size_t>(node)][static_cast<int>(*path)] =
                    *index;
            const MotionChannel& made = motion.channels[static_cast<std::size_t>(*index)];
            clip.duration =
                std::max(clip.duration, motion.keys[made.first_time + made.key_count - 1]);
        }
        motion.clips.push_back(std::move(clip));
    }
    if (skipped)
        warnings.push_back({.code = "gltf/ignored",
                            .severity = Severity::warning,
                            .message = "channels of animations are ignored that move what their "
                                       "nodes do not have: morph targets, or parts of a matrix",
                            .where = {},
                            .hint = {}});
    return {};
}

} // namespace tuff::gltf
