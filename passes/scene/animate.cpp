#include "passes/scene/animate.hpp"

#include "passes/common/warning.hpp"

#include <tuff/scene_motion.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kRowsOfJoint = 3;

/// The number of a clip by its name, else by its number; the first, or none, for an empty name.
/// Nothing, and a report, where there is no such clip.
std::optional<std::uint32_t> find_clip(Graph& graph, const SceneMotion& motion,
                                       const std::string& name, std::string_view parameter) {
    if (name.empty()) return motion.clips.empty() ? kNoClip : 0;
    const auto found = std::ranges::find(motion.clips, name, &SceneClip::name);
    if (found != motion.clips.end())
        return static_cast<std::uint32_t>(found - motion.clips.begin());
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error == std::errc() && end == name.data() + name.size() && number < motion.clips.size())
        return number;
    std::vector<std::string> names;
    for (const SceneClip& clip : motion.clips)
        names.push_back(fmt::format("\"{}\"", clip.name));
    graph.error("scene/no-such-clip",
                fmt::format("parameter \"{}\" is \"{}\", but the scene has no such animation",
                            parameter, name),
                names.empty() ? "remove the pass: the scene has no animations"
                              : fmt::format("choose one of {}", fmt::join(names, ", ")));
    return {};
}

double duration_of(const SceneMotion& motion, std::uint32_t clip) {
    return clip == kNoClip ? 0.0 : static_cast<double>(motion.clips[clip].duration);
}

/// The nodes that play a scene's motion.
class Player {
  public:
    Player(Graph& graph, const Scene& source) : graph_(graph), source_(source) {}

    /// `set` gives the kernel its clips and times.
    void pose(auto set) {
        ComputeNodeBuilder node = graph_.compute("scene/animate_locals");
        node.read("nodes", constant("nodes", packed().nodes, 16));
        node.read("node_channels", constant("node_channels", packed().node_channels, 16));
        node.read("weight_channels", constant("weight_channels", packed().weight_channels, 4));
        node.read("rest_weights", constant("rest_weights", packed().weights, 16));
        node.read("channels", constant("channels", packed().channels, 16));
        node.read("keys", constant("keys", packed().keys, 4));
        node.set("node_count", count(motion().nodes));
        node.set("weight_count", count(motion().weights));
        node.set("weight_groups", motion().weight_groups);
        set(node);
        locals_ = node.write("locals", array("locals", motion().nodes.size(), sizeof(glm::mat4)));
        weights_ = node.write("weights", array("weights", motion().weights.size(), sizeof(float)));
        node.dispatch_each(std::max(1u, count(motion().nodes) + count(motion().weights)));
    }

    Buffer transforms() {
        ComputeNodeBuilder node = graph_.compute("scene/animate_places");
        node.read("nodes", constant("nodes", packed().nodes, 16));
        node.read("locals", locals_);
        node.read("joints", constant("joints", packed().joints, 16));
        node.read("places", constant("places", packed().places, 8));
        node.read("transforms", source_.transforms);
        node.set("transform_count", count(motion().places));
        node.set("joint_count", count(motion().joints));
        const Buffer moved = node.write(
            "moved", array("transforms", motion().places.size(), sizeof(SceneTransform)));
        palette_ = node.write(
            "palette", array("palette", motion().joints.size() * kRowsOfJoint, sizeof(glm::vec4)));
        node.dispatch_each(count(motion().places) + count(motion().joints));
        return moved;
    }

    Buffer vertices() {
        const std::uint64_t vertex_count = graph_.desc(source_.vertices).size / sizeof(Vertex);
        ComputeNodeBuilder node = graph_.compute("scene/animate_vertices");
        node.read("vertices", source_.vertices);
        node.read("ranges", constant("ranges", packed().ranges, 16));
        node.read("influences", constant("influences", packed().influences, 4));
        node.read("deltas", constant("deltas", packed().deltas, 4));
        node.read("weights", weights_);
        node.read("palette", palette_);
        node.set("vertex_count", static_cast<std::uint32_t>(vertex_count));
        node.set("range_count", count(motion().ranges));
        const Buffer moved = node.write("moved", array("vertices", vertex_count, sizeof(Vertex)));
        node.dispatch_each(static_cast<std::uint32_t>(vertex_count));
        return moved;
    }

  private:
    const SceneMotion& motion() const { return *source_.data->motion; }
    const MotionBytes& packed() const { return motion().packed; }
    static std::uint32_t count(const auto& list) { return static_cast<std::uint32_t>(list.size()); }
    Buffer constant(std::string_view name, const MotionBytes::Bytes& bytes, std::uint32_t stride) {
        return graph_.constant_buffer(name, {.size = bytes->size(), .stride = stride}, bytes);
    }
    Buffer array(std::string_view name, std::uint64_t elements, std::uint32_t bytes) {
        return graph_.buffer(
            name, {.size = std::max<std::uint64_t>(elements, 1) * bytes, .stride = bytes});
    }

    Graph& graph_;
    const Scene& source_;
    Buffer locals_;
    Buffer weights_;
    Buffer palette_;
};

} // namespace

double clip_time(const ClipParameters& playing, double time, double duration) {
    if (!(duration > 0.0)) return 0.0;
    const double at =
        static_cast<double>(playing.start) + static_cast<double>(playing.speed) * time;
    const auto modulo = [](double a, double b) { return a - b * std::floor(a / b); };
    switch (playing.loop) {
    case ClipLoop::repeat: return modulo(at, duration);
    case ClipLoop::hold: return std::clamp(at, 0.0, duration);
    case ClipLoop::ping_pong: return duration - std::abs(modulo(at, 2.0 * duration) - duration);
    }
    return 0.0;
}

void Animate::describe(PassInfo<Animate>& info) {
    info.summary("Plays the animations of a glTF file: moving nodes, skins and morph targets")
        .details(
            "Channels animate translation, rotation (along the shortest arc), scale and the "
            "weights of morph targets, with step, linear and cubic spline interpolation. \"blend\" "
            "mixes two clips: translations, scales and weights linearly, rotations along arcs. A "
            "node property that a clip does not animate keeps its rest value. In a scene of "
            "several models clips with the same name play together.\n\nThe vertices of skins and "
            "morph targets are written in each frame, with their normals and tangents; up to eight "
            "joints move a vertex. Every pass that takes a scene takes the result, and \"motion\" "
            "of scene/mesh_raster follows it. Cameras and lights move with their nodes. Bounds of "
            "draws are those of the current time; bounds of the scene include its clips, so orbit "
            "cameras and shadow maps stand still. Morph targets without normals leave the normals "
            "unchanged.\n\nA scene without animations passes through unchanged, with a warning.")
        .source("glTF 2.0 specification, sections 3.7 and 3.11 and appendix C; Shoemake, "
                "\"Animating Rotation with Quaternion Curves\", SIGGRAPH 1985 (slerp)")
        .complexity("O(vertices * (joints of a vertex + morph targets) + nodes * depth)")
        .cost([](const Animate& pass, const Graph& graph) {
            if (!pass.source || !pass.source.data->motion) return Cost{};
            const SceneMotion& motion = *pass.source.data->motion;
            double bytes = static_cast<double>(motion.packed.influences->size()) +
                           static_cast<double>(motion.packed.deltas->size()) +
                           240.0 * static_cast<double>(motion.nodes.size()) +
                           256.0 * static_cast<double>(motion.places.size()) +
                           112.0 * static_cast<double>(motion.joints.size());
            double operations = 200.0 * static_cast<double>(motion.nodes.size());
            const double vertices =
                static_cast<double>(graph.desc(pass.source.vertices).size) / sizeof(Vertex);
            if (!motion.ranges.empty()) bytes += 2.0 * sizeof(Vertex) * vertices;
            for (const MotionRange& range : motion.ranges)
                operations += range.vertex_count *
                              (100.0 + 96.0 * range.influence_sets + 18.0 * range.target_count);
            return Cost{.bytes = bytes, .operations = operations};
        });
    info.input("source", &Animate::source, "a model with animations, or several");
    info.parameter("time", &Animate::time, "time of the animation; \"$time\" plays it")
        .unit("seconds");
    info.parameter("clip", &Animate::clip, "name or number of the animation; empty: the first");
    info.parameter(
        "loop", &Animate::loop,
        "\"repeat\" starts again, \"hold\" stays at the end, \"ping-pong\" runs back and forth");
    info.parameter("speed", &Animate::speed, "seconds of the clip per second; negative: backwards");
    info.parameter("start", &Animate::start, "time in the clip where \"time\" is 0")
        .unit("seconds");
    info.group("second", &Animate::second);
    info.parameter("blend", &Animate::blend,
                   "weight of the second clip; 0: the clip alone; 1: the second clip alone")
        .range(0.0, 1.0);
    info.output("scene", &Animate::scene, "the scene as it is at this time");
}

void Animate::build(Graph& graph) {
    scene = source;
    if (!source.data->motion) {
        graph.report(warning("scene/no-animation", "the scene has no animations: it does not move",
                             "load a glTF file with animations, or remove this pass"));
        return;
    }
    const SceneMotion& motion = *source.data->motion;
    const ClipParameters first{.clip = clip, .loop = loop, .speed = speed, .start = start};
    const auto first_clip = find_clip(graph, motion, first.clip, "clip");
    const auto second_clip = find_clip(graph, motion, second.clip, "second.clip");
    if (!first_clip || !second_clip) {
        scene = {};
        return;
    }
    const auto seconds = static_cast<double>(time);
    const MotionMoment moment{
        .clip = *first_clip,
        .time = static_cast<float>(clip_time(first, seconds, duration_of(motion, *first_clip))),
        .second_clip = *second_clip,
        .second_time =
            static_cast<float>(clip_time(second, seconds, duration_of(motion, *second_clip))),
        .blend = blend};
    Player player(graph, source);
    player.pose([&](ComputeNodeBuilder& node) {
        node.set("clip", moment.clip);
        node.set("second_clip", moment.second_clip);
        node.set("time", moment.time);
        node.set("second_time", moment.second_time);
        node.set("blend", moment.blend);
    });
    scene.data = std::make_shared<const SceneData>(pose_scene(*source.data, moment));
    scene.transforms = player.transforms();
    scene.bounds_hold = false;
    if (motion.ranges.empty()) return;
    scene.vertices = player.vertices();
    scene.vertices_move = true;
}

TUFF_PASS(Animate)

} // namespace tuff::passes
