#include "model/camera_control.hpp"

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace tuff::viewer {
namespace {

constexpr double kSteepest = 89.0; ///< degrees: straight up has no azimuth
constexpr double kLeastZoom = 0.05, kMaxZoom = 20.0;
constexpr std::array<std::string_view, 7> kPlaced = {
    "camera.mode",     "camera.azimuth", "camera.elevation", "camera.zoom",
    "camera.position", "camera.target",  "camera.up"};

/// Distance and angles of `direction` with +y as the axis; azimuth 0 is +z, 90 is +x.
struct Polar {
    double length, azimuth, elevation;
};
Polar to_polar(glm::dvec3 direction) {
    const double length = glm::length(direction);
    if (length == 0.0) return {0.0, 0.0, 0.0};
    return {length, glm::degrees(std::atan2(direction.x, direction.z)),
            glm::degrees(std::asin(std::clamp(direction.y / length, -1.0, 1.0)))};
}
glm::dvec3 from_polar(Polar p) {
    const double a = glm::radians(p.azimuth);
    const double e = glm::radians(std::clamp(p.elevation, -kSteepest, kSteepest));
    return p.length * glm::dvec3(std::sin(a) * std::cos(e), std::sin(e), std::cos(a) * std::cos(e));
}

struct Axes {
    glm::dvec3 right, up, forward;
    double distance;
};
Axes axes_of(const CameraPose& pose) {
    const glm::dvec3 way = pose.target - pose.position;
    const double distance = std::max(glm::length(way), 1e-9);
    const glm::dvec3 forward = way / distance;
    glm::dvec3 right = glm::cross(forward, pose.up);
    if (glm::length(right) < 1e-6) right = glm::cross(forward, glm::dvec3(0.0, 0.0, 1.0));
    right = glm::normalize(right);
    return {right, glm::cross(right, forward), forward, distance};
}

double number(const ParameterValue& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
    const auto* real = std::get_if<double>(&value);
    return real ? *real : 0.0;
}
glm::dvec3 vector(const ParameterValue& value) {
    const auto* list = std::get_if<std::vector<double>>(&value);
    return list && list->size() == 3 ? glm::dvec3((*list)[0], (*list)[1], (*list)[2])
                                     : glm::dvec3(0.0);
}
ParameterValue value_of(glm::dvec3 v) {
    return std::vector<double>{v.x, v.y, v.z};
}

/// What the parameter `name` of a node is now, following the parameters of the config.
std::optional<ParameterValue> value_now(const std::vector<Control>& controls, const Edits& edits,
                                        const std::string& node, std::string_view name) {
    for (const Control& control : controls) {
        if (control.key.node != node || control.key.name != name) continue;
        if (!control.follows.empty() && !edits.contains(control.key))
            for (const Control& source : controls)
                if (source.key.node.empty() && control.follows == "$" + source.key.name)
                    return current_value(source, edits);
        return current_value(control, edits);
    }
    return std::nullopt;
}

} // namespace

CameraPose orbit(CameraPose pose, glm::dvec2 drag) {
    if (!pose.free) {
        pose.azimuth = std::remainder(pose.azimuth - drag.x * kDegreesPerWindow, 360.0);
        pose.elevation =
            std::clamp(pose.elevation + drag.y * kDegreesPerWindow, -kSteepest, kSteepest);
        return pose;
    }
    Polar polar = to_polar(pose.position - pose.target);
    polar.azimuth -= drag.x * kDegreesPerWindow;
    polar.elevation += drag.y * kDegreesPerWindow;
    pose.position = pose.target + from_polar(polar);
    return pose;
}

CameraPose dolly(CameraPose pose, double steps) {
    const double factor = std::pow(0.9, steps);
    if (pose.free)
        pose.position = pose.target + (pose.position - pose.target) * factor;
    else
        pose.zoom = std::clamp(pose.zoom / factor, kLeastZoom, kMaxZoom);
    return pose;
}

CameraPose pan(CameraPose pose, glm::dvec2 drag) {
    if (!pose.free) return pose;
    const Axes axes = axes_of(pose);
    const glm::dvec3 move = (axes.up * drag.y - axes.right * drag.x) * axes.distance;
    pose.position += move;
    pose.target += move;
    return pose;
}

CameraPose look(CameraPose pose, glm::dvec2 drag) {
    if (!pose.free) return pose;
    Polar polar = to_polar(pose.target - pose.position);
    polar.azimuth -= drag.x * kDegreesPerWindow;
    polar.elevation -= drag.y * kDegreesPerWindow;
    pose.target = pose.position + from_polar(polar);
    return pose;
}

CameraPose fly(CameraPose pose, glm::dvec3 move) {
    if (!pose.free) return dolly(pose, move.z * 10.0);
    const Axes axes = axes_of(pose);
    const glm::dvec3 way =
        (axes.right * move.x + axes.up * move.y + axes.forward * move.z) * axes.distance;
    pose.position += way;
    pose.target += way;
    return pose;
}

std::optional<CameraRig> CameraRig::find(const std::vector<Control>& controls, const Edits& edits) {
    CameraRig rig;
    for (const Control& control : controls)
        if (control.key.name == "camera.mode") rig.nodes_.push_back(control.key.node);
    if (rig.nodes_.empty()) return std::nullopt;
    const auto read = [&](const std::string& node) {
        const auto get = [&](std::string_view name) {
            return value_now(controls, edits, node, name).value_or(ParameterValue(0.0));
        };
        const ParameterValue mode = get("camera.mode");
        const auto* text = std::get_if<std::string>(&mode);
        return CameraPose{.free = text && *text == "free",
                          .azimuth = number(get("camera.azimuth")),
                          .elevation = number(get("camera.elevation")),
                          .zoom = number(get("camera.zoom")),
                          .position = vector(get("camera.position")),
                          .target = vector(get("camera.target")),
                          .up = vector(get("camera.up"))};
    };
    rig.pose_ = read(rig.nodes_.front());
    std::erase_if(rig.nodes_, [&](const std::string& node) {
        const CameraPose other = read(node);
        return other.free != rig.pose_.free || other.position != rig.pose_.position ||
               other.azimuth != rig.pose_.azimuth;
    });
    return rig;
}

void CameraRig::apply(const CameraPose& pose, Edits& edits) const {
    const auto put = [&](std::string_view name, bool differs, const ParameterValue& value) {
        if (!differs) return;
        for (const std::string& node : nodes_)
            edits[{node, std::string(name)}] = json_text(value);
    };
    put("camera.azimuth", pose.azimuth != pose_.azimuth, pose.azimuth);
    put("camera.elevation", pose.elevation != pose_.elevation, pose.elevation);
    put("camera.zoom", pose.zoom != pose_.zoom, pose.zoom);
    put("camera.position", pose.position != pose_.position, value_of(pose.position));
    put("camera.target", pose.target != pose_.target, value_of(pose.target));
    put("camera.up", pose.up != pose_.up, value_of(pose.up));
}

void CameraRig::reset(Edits& edits) const {
    for (const std::string& node : nodes_)
        for (const std::string_view name : kPlaced)
            edits.erase({node, std::string(name)});
}

} // namespace tuff::viewer
