#include "passes/bodies/scene_parts.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>

namespace tuff::passes {
namespace {

/// Numbers of a list, so many a body.
bool has_whole(Graph& graph, std::string_view name, const std::vector<float>& values,
               std::size_t each) {
    if (values.size() % each == 0) return true;
    graph.error(
        "bodies/list-length",
        fmt::format("\"{}\" has {} numbers, but each body takes {}", name, values.size(), each),
        "give the same number of values for each body");
    return false;
}

bool add_hulls(Graph& graph, const MakeBodies& scene, BodyList& list, auto&& begin) {
    // The number of points, place, mass, velocity, points.
    for (std::size_t i = 0; i < scene.hulls.size();) {
        const float* v = &scene.hulls[i];
        const auto points = static_cast<std::size_t>(std::clamp(v[0], 0.0f, 1e6f));
        if (i + 8 + 3 * points > scene.hulls.size())
            return has_whole(graph, "hulls", std::vector<float>(1), 8 + 3 * points);
        std::vector<glm::vec3> corners;
        for (std::size_t k = 0; k < points; ++k)
            corners.emplace_back(v[8 + 3 * k], v[9 + 3 * k], v[10 + 3 * k]);
        const auto hull = convex_hull(corners);
        if (!hull) {
            graph.error("bodies/bad-hull",
                        fmt::format("a hull of \"hulls\" is not valid: {}", hull.error()),
                        "give 4 to 64 points that are not in a plane");
            return false;
        }
        list.hull(*hull, begin(v + 1));
        i += 8 + 3 * points;
    }
    return true;
}

/// A text of "joints" as its words, and how far it has been read.
class JointText {
  public:
    explicit JointText(std::string_view text) : rest_(text) {}

    /// The next word; empty at the end.
    std::string_view word() {
        constexpr std::string_view kSpaces = " \t\n\r,";
        rest_.remove_prefix(std::min(rest_.find_first_not_of(kSpaces), rest_.size()));
        const std::string_view found = rest_.substr(0, rest_.find_first_of(kSpaces));
        rest_.remove_prefix(found.size());
        return found;
    }
    /// The next word as a number; nothing if it is none.
    template <typename T>
    std::optional<T> number() {
        const std::string_view text = word();
        T value{};
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
        if constexpr (std::is_floating_point_v<T>)
            if (!std::isfinite(value)) return std::nullopt;
        return value;
    }
    /// As many finite numbers as `values` takes.
    bool numbers(std::span<float> values) {
        for (float& value : values) {
            const auto one = number<float>();
            if (!one) return false;
            value = *one;
        }
        return true;
    }

  private:
    std::string_view rest_;
};

/// What a text of "joints" says.
struct ListedJoint {
    JointKind kind = JointKind::ball;
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    std::optional<glm::vec3> at; ///< without it, the middle of the second body
    std::optional<glm::vec3> axis;
    std::optional<glm::vec2> limits;
    std::optional<glm::vec2> motor; ///< speed and strength
};

std::optional<JointKind> joint_kind(std::string_view name) {
    if (name == "ball") return JointKind::ball;
    if (name == "hinge") return JointKind::hinge;
    if (name == "slider") return JointKind::slider;
    return std::nullopt;
}

template <typename Vector>
bool read_vector(JointText& text, std::optional<Vector>& into) {
    if (into) return false; // twice
    into.emplace(0.0f);
    return text.numbers(std::span(&(*into)[0], static_cast<std::size_t>(Vector::length())));
}

/// The joint, or what is wrong.
std::string read_joint(std::string_view words, ListedJoint& joint) {
    JointText text(words);
    const auto kind = joint_kind(text.word());
    if (!kind) return "it does not begin with \"ball\", \"hinge\" or \"slider\"";
    joint.kind = *kind;
    const auto first = text.number<std::uint32_t>();
    const auto second = text.number<std::uint32_t>();
    if (!first || !second) return "the kind is not followed by the indices of two bodies";
    joint.first = *first;
    joint.second = *second;
    for (std::string_view word = text.word(); !word.empty(); word = text.word()) {
        bool good = false;
        if (word == "at")
            good = read_vector(text, joint.at);
        else if (word == "axis")
            good = read_vector(text, joint.axis);
        else if (word == "limits")
            good = read_vector(text, joint.limits);
        else if (word == "motor")
            good = read_vector(text, joint.motor);
        else
            return fmt::format("\"{}\" is not \"at\", \"axis\", \"limits\" or \"motor\"", word);
        if (!good) return fmt::format("\"{}\" is there twice, or lacks finite numbers", word);
    }
    if (joint.axis && glm::length(*joint.axis) < 1e-6f) return "its axis has no length";
    if (joint.axis && !std::isfinite(glm::length(*joint.axis))) return "its axis is too long";
    if (joint.limits && joint.limits->x > joint.limits->y)
        return "its lower limit is above the upper one";
    if (joint.motor && joint.motor->y < 0.0f) return "the strength of its motor is negative";
    if (joint.kind == JointKind::ball && (joint.axis || joint.limits || joint.motor))
        return "a ball joint has no axis, limits or motor";
    return {};
}

/// Whether both bodies are there and differ, and one of them can move.
std::string joint_bodies_error(const ListedJoint& joint, const BodyList& list) {
    if (joint.first == joint.second)
        return fmt::format("it connects body {} with itself", joint.first);
    if (const std::uint32_t last = std::max(joint.first, joint.second); last >= list.size())
        return fmt::format("there is no body {}: the last one is {}", last, list.size() - 1);
    if (list.places[joint.first].w == 0.0f && list.places[joint.second].w == 0.0f)
        return fmt::format("neither body {} nor body {} can move", joint.first, joint.second);
    return {};
}

bool add_joints(Graph& graph, const MakeBodies& scene, BodyList& list) {
    for (std::size_t i = 0; i < scene.joints.size(); ++i) {
        ListedJoint listed;
        std::string wrong = read_joint(scene.joints[i], listed);
        if (wrong.empty()) wrong = joint_bodies_error(listed, list);
        if (!wrong.empty()) {
            graph.error(
                "bodies/joint-list",
                fmt::format("joint {} of \"joints\", \"{}\": {}", i, scene.joints[i], wrong),
                "write for example \"hinge 0 1 at 0 2 0 axis 0 0 1 limits -0.5 1 motor 2 "
                "100\"");
            return false;
        }
        JointRecord& joint = list.joint(listed.kind, listed.first, listed.second,
                                        listed.at.value_or(glm::vec3(list.places[listed.second])),
                                        listed.axis.value_or(glm::vec3(0.0f, 0.0f, 1.0f)));
        if (listed.limits) {
            joint.parts |= 1u;
            joint.low = listed.limits->x;
            joint.high = listed.limits->y;
        }
        if (listed.motor) {
            joint.parts |= 2u;
            joint.speed = listed.motor->x;
            joint.strength = listed.motor->y;
        }
    }
    if (list.joints.size() <= kMaxJoints) return true;
    graph.error("pass/out-of-range",
                fmt::format("there are {} joints, more than {}", list.joints.size(), kMaxJoints));
    return false;
}

} // namespace

bool add_listed(Graph& graph, const MakeBodies& scene, BodyList& list) {
    const auto begin = [&](const float* v) {
        return BodyStart{.place = {v[0], v[1], v[2]},
                         .mass = v[3],
                         .velocity = {v[4], v[5], v[6]},
                         .friction = scene.friction,
                         .restitution = scene.restitution};
    };
    if (!has_whole(graph, "spheres", scene.spheres, 8) ||
        !has_whole(graph, "boxes", scene.boxes, 10) ||
        !has_whole(graph, "capsules", scene.capsules, 9))
        return false;
    for (std::size_t i = 0; i < scene.spheres.size(); i += 8)
        list.sphere(scene.spheres[i + 7], begin(&scene.spheres[i]));
    for (std::size_t i = 0; i < scene.boxes.size(); i += 10) {
        const float* v = &scene.boxes[i];
        list.box({v[7], v[8], v[9]}, begin(v));
    }
    for (std::size_t i = 0; i < scene.capsules.size(); i += 9) {
        const float* v = &scene.capsules[i];
        list.capsule(v[7], v[8], begin(v));
    }
    return add_hulls(graph, scene, list, begin) && add_joints(graph, scene, list);
}

} // namespace tuff::passes
