#include "passes/hair/clock.hpp"

#include "passes/common/fixed_steps.hpp"

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <cmath>

namespace tuff::passes {
namespace {

constexpr std::uint64_t kClockHeader = 6; // vec4s, as in shaders/hair/clock.glsl

} // namespace

glm::vec4 HeadParameters::quaternion() const {
    const glm::dvec3 axis(turn);
    const double degrees = glm::length(axis);
    if (!(degrees > 0.0)) return {0.0f, 0.0f, 0.0f, 1.0f};
    const double half = 0.5 * glm::radians(degrees);
    return glm::vec4(glm::dvec4(axis / degrees * std::sin(half), std::cos(half)));
}

BufferDesc clock_desc(std::uint32_t most) {
    return {.size = (kClockHeader + 2 * (std::uint64_t{most} + 1)) * sizeof(glm::vec4),
            .stride = sizeof(glm::vec4)};
}

HairClock make_clock(Graph& graph, const ClockRequest& request) {
    ComputeNodeBuilder node = graph.compute("hair/clock");
    node.read_optional("before", request.before);
    set_fixed_steps(node, {.most = request.most,
                           .frame_time = request.frame_time,
                           .dt = request.dt,
                           .reset = request.reset});
    node.set("teleport", request.teleport);
    node.set("turn", request.head.quaternion());
    node.set("shift", request.head.position);
    node.set("turn_before", request.head_before.quaternion());
    node.set("shift_before", request.head_before.position);
    HairClock clock{.most = request.most};
    clock.words = node.write("after", graph.buffer("clock", clock_desc(request.most)));
    node.dispatch(1);
    return clock;
}

} // namespace tuff::passes
