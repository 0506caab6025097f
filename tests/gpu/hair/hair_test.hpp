#pragma once

#include "passes/hair/bench_reference.hpp"
#include "passes/hair/step.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace tuff::testing_gpu {

/// Points of strands on the host.
struct HostHair {
    std::vector<glm::vec4> points;
    std::uint32_t count = 0;
    std::uint32_t vertices = 0;

    std::vector<reference::Vec> strand(std::uint32_t i) const {
        std::vector<reference::Vec> all;
        for (std::uint32_t v = 0; v < vertices; ++v)
            all.emplace_back(points[std::size_t{i} * vertices + v]);
        return all;
    }
    double length() const {
        double sum = 0.0;
        for (std::uint32_t v = 1; v < vertices; ++v)
            sum += glm::distance(reference::Vec(points[v - 1]), reference::Vec(points[v]));
        return sum;
    }
};

/// A strand that hangs down, straight.
inline HostHair hanging(std::uint32_t vertices, float edge = 0.02f) {
    HostHair hair{.count = 1, .vertices = vertices};
    for (std::uint32_t v = 0; v < vertices; ++v)
        hair.points.emplace_back(0.0f, -edge * static_cast<float>(v), 0.0f, 1.0f);
    return hair;
}

/// Curved strands of edges of about 2 cm, in all directions, whose roots are within `reach`.
inline HostHair random_hair(std::uint32_t count, std::uint32_t vertices, std::uint32_t seed,
                            float reach = 1.0f) {
    std::mt19937 random(seed);
    const auto number = [&] { return static_cast<float>(random() >> 8) * 0x1p-23f - 1.0f; };
    HostHair hair{.count = count, .vertices = vertices};
    for (std::uint32_t s = 0; s < count; ++s) {
        glm::vec3 x = reach * glm::vec3(number(), number(), number());
        glm::vec3 heading = glm::normalize(glm::vec3(number(), number(), number()) + 1e-3f);
        const glm::vec3 bend = 0.3f * glm::vec3(number(), number(), number());
        for (std::uint32_t v = 0; v < vertices; ++v) {
            hair.points.emplace_back(x, 1.0f);
            x += heading * (0.02f + 0.004f * number());
            heading = glm::normalize(heading + bend);
        }
    }
    return hair;
}

class HairTest : public GpuTest {
  protected:
    static Buffer vectors_of(Graph& g, std::string_view name,
                             const std::vector<glm::vec4>& values) {
        const auto bytes = bytes_of(values);
        return g.constant_buffer(name, {.size = bytes->size(), .stride = 16}, bytes);
    }
    static passes::HairGroom groom_of(Graph& g, const HostHair& hair,
                                      std::vector<std::uint32_t> groups = {}) {
        groups.resize(std::max(hair.count, 1u));
        const auto bytes = bytes_of(groups);
        std::vector<glm::vec4> points = hair.points;
        if (points.empty()) points.emplace_back(0.0f);
        return passes::prepared(
            g, vectors_of(g, "points", points),
            g.constant_buffer("groups", {.size = bytes->size(), .stride = 4}, bytes), hair.count,
            hair.vertices, 1);
    }
    /// Constants cannot be outputs.
    static void output(Graph& g, std::string_view name, Buffer buffer) {
        g.output(name, g.copy(buffer, g.buffer(name, g.desc(buffer)), name));
    }
    static void output(Graph& g, const passes::HairState& state) {
        output(g, "positions", state.positions);
        output(g, "previous", state.previous);
    }
    /// Positions after so many steps of 1/60 s, in executions of at most 60.
    std::vector<glm::vec4> simulated(const HostHair& hair, passes::SimulateHair pass,
                                     std::uint32_t steps) {
        Running running = simulation(hair, std::move(pass), steps);
        return running.buffer<glm::vec4>("positions");
    }
    Running simulation(const HostHair& hair, passes::SimulateHair pass, std::uint32_t steps,
                       std::vector<std::uint32_t> groups = {}) {
        const std::uint32_t each = steps % 60 == 0 ? 60 : steps % 50 == 0 ? 50 : steps;
        Graph g = graph();
        pass.groom = groom_of(g, hair, std::move(groups));
        pass.most_steps = each;
        pass.frame_time = pass.dt * static_cast<float>(each);
        pass = g.add(pass);
        output(g, pass.state);
        g.output("shown", pass.shape.positions);
        g.output("status", pass.status);
        return run(std::move(g), 1 + steps / each); // the first places hair at rest
    }
    static double distance_to(const std::vector<glm::vec4>& got, std::size_t first,
                              const std::vector<reference::Vec>& wanted) {
        double most = 0.0;
        for (std::size_t v = 0; v < wanted.size(); ++v)
            most = std::max(most, glm::distance(reference::Vec(got[first + v]), wanted[v]));
        return std::isfinite(most) ? most : 1e30;
    }
};

/// Forces of the reference that a pass asks for, in sub-steps; without wind.
inline reference::Forces forces_of(const passes::HairMotion& m, double dt) {
    reference::Forces f{.dt = dt / m.substeps,
                        .gravity = reference::Vec(m.gravity),
                        .damping = static_cast<double>(m.damping[0]),
                        .local = static_cast<double>(m.local_stiffness[0]),
                        .global = static_cast<double>(m.global_stiffness[0]),
                        .range = static_cast<double>(m.global_range[0]),
                        .fades = m.fades,
                        .local_iterations = static_cast<int>(m.local_iterations),
                        .iterations = static_cast<int>(m.length_iterations),
                        .by_length = m.wind_by_length,
                        .wind_first = m.order == passes::WindOrder::wind_first,
                        .margin = static_cast<double>(m.margin),
                        .friction = static_cast<double>(m.friction)};
    if (m.solver == passes::LengthSolver::soft)
        f.soft = static_cast<double>(m.compliance) / (f.dt * f.dt);
    const reference::Vec wind(m.wind);
    const double speed = glm::length(wind);
    if (speed == 0.0) return f;
    const reference::Vec along = wind / speed;
    const reference::Vec side = glm::normalize(glm::cross(
        along, std::abs(along.y) < 0.9 ? reference::Vec(0, 1, 0) : reference::Vec(1, 0, 0)));
    const double beat = std::sin(3.0 * static_cast<double>(m.time));
    const double angle = glm::radians(static_cast<double>(m.wind_cone));
    for (std::size_t i = 0; i < 4; ++i) {
        const double around = std::numbers::pi / 2.0 * static_cast<double>(i);
        f.winds[i] = 0.5 * speed * (beat * beat + 0.5) * static_cast<double>(m.drag) * f.dt * f.dt *
                     (std::cos(angle) * along +
                      std::sin(angle) *
                          (std::cos(around) * side + std::sin(around) * glm::cross(along, side)));
    }
    return f;
}

} // namespace tuff::testing_gpu
