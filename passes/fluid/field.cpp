#include "passes/fluid/field.hpp"

#include "passes/common/picture.hpp"
#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace tuff::passes {
namespace {

constexpr double kFar = 1e6;

bool all_in_range(Graph& graph, std::string_view parameter, const auto& values) {
    for (int c = 0; c < values.length(); ++c)
        if (!in_range(graph, parameter, static_cast<double>(values[c]), -kFar, kFar)) return false;
    return true;
}

} // namespace

std::uint32_t FluidBoundary::bits() const {
    std::uint32_t result = 0;
    std::uint32_t shift = 0;
    for (const FluidFace face : {left, right, bottom, top, back, front}) {
        result |= static_cast<std::uint32_t>(face) << shift;
        shift += 4;
    }
    return result;
}

FluidStatus FluidStatus::read(std::span<const std::uint32_t> words) {
    return status_from<FluidStatus>(words);
}

Diagnostic set_to_rest(std::uint32_t cells) {
    return warning("fluid/diverged",
                   fmt::format("a cell became infinite or NaN {} times and was set to rest", cells),
                   "check the initial state; decrease \"dt\"");
}

Diagnostic held_to_reach(std::uint32_t times, std::string hint) {
    return warning(
        "fluid/speed-clamped",
        fmt::format("fluid would have crossed more than \"reach\" cells in a step {} times", times),
        std::move(hint));
}

Diagnostics FluidStatus::warnings() const {
    Diagnostics all;
    if (clamped_densities > 0)
        all.push_back(warning("fluid/density-clamped",
                              fmt::format("the density of a cell left [0.5, 3] {} times and "
                                          "was clamped: mass is not conserved",
                                          clamped_densities),
                              "slow the flow down (below half the speed of sound, which is "
                              "sqrt(stiffness / dt)), or use fluid/stable"));
    if (clamped_speeds > 0)
        all.push_back(warning("fluid/speed-clamped",
                              fmt::format("fluid would have crossed more than a cell in a step "
                                          "{} times",
                                          clamped_speeds),
                              "decrease \"dt\", the forces or the emitters' velocities"));
    if (not_finite > 0) all.push_back(set_to_rest(not_finite));
    if (forces_left_out > 0)
        all.push_back(warning(
            "fluid/bad-force",
            fmt::format("a force was infinite or NaN {} times and was ignored", forces_left_out),
            "check the pass that computes the forces"));
    if (held_steps > 0)
        all.push_back(warning("fluid/step-held",
                              fmt::format("{} steps were \"min_dt\" long, and fluid crossed "
                                          "more than \"courant\" cells in them",
                                          held_steps),
                              "decrease \"min_dt\", the forces or the emitters' velocities"));
    return all;
}

bool is_valid_grid(Graph& graph, glm::uvec3 dims) {
    for (int axis = 0; axis < 3; ++axis)
        if (!in_range(graph, "dims", dims[axis], 1, kMaxFluidSide)) return false;
    const std::uint64_t cells = std::uint64_t{dims.x} * dims.y * dims.z;
    const std::uint64_t most = kMaxFluidCells * graph.ranks().size();
    if (cells <= most) return true;
    graph.error("pass/out-of-range",
                fmt::format("{} x {} x {} cells are more than {}", dims.x, dims.y, dims.z, most));
    return false;
}

bool is_valid(Graph& graph, const FluidBoundary& boundary, glm::uvec3 dims) {
    const std::array<std::array<FluidFace, 2>, 3> sides{{{boundary.left, boundary.right},
                                                         {boundary.bottom, boundary.top},
                                                         {boundary.back, boundary.front}}};
    constexpr std::array<std::string_view, 3> kNames{"left and right", "bottom and top",
                                                     "back and front"};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (axis == 2 && dims.z == 1) continue;
        const bool low = sides[axis][0] == FluidFace::periodic;
        if (low == (sides[axis][1] == FluidFace::periodic)) continue;
        graph.error("fluid/periodic-side",
                    fmt::format("only one of the sides {} is periodic", kNames[axis]),
                    "make both periodic: what leaves through one enters through the other");
        return false;
    }
    return true;
}

bool is_valid(Graph& graph, const FluidField& field, std::string_view port) {
    if (!field.part) return is_valid_in_parts(graph, field, port);
    graph.error(
        "fluid/in-parts",
        fmt::format("the ranks have \"{}\" in parts, and the pass needs the whole of it", port),
        "put the parts together by fluid/gather");
    return false;
}

bool is_valid_in_parts(Graph& graph, const FluidField& field, std::string_view port) {
    if (!is_valid_grid(graph, field.dims)) return false;
    const std::uint64_t held =
        graph.desc(field.cells).size / cells_desc(glm::uvec3(1), field.precision).size;
    if (held >= field.count()) return is_valid(graph, field.solid, field.dims);
    graph.error("primitives/too-short",
                fmt::format("\"{}\" has {} cells, but {} are needed", port, held, field.count()));
    return false;
}

bool is_valid(Graph& graph, const FluidObstacles& solid, glm::uvec3 dims) {
    if (!solid) return true;
    if (solid.dims == dims)
        return all_in_range(graph, "motion.velocity", solid.motion.velocity) &&
               all_in_range(graph, "motion.spin", solid.motion.spin) &&
               all_in_range(graph, "motion.pivot", solid.motion.pivot);
    graph.error("fluid/size-mismatch",
                fmt::format("the obstacles have {} x {} x {} cells, but the fluid has {} x {} "
                            "x {}",
                            solid.dims.x, solid.dims.y, solid.dims.z, dims.x, dims.y, dims.z),
                "give both the same \"dims\"");
    return false;
}

bool is_valid(Graph& graph, std::span<const EmitterShape> emitters) {
    if (emitters.size() > kMaxEmitters) {
        graph.error("fluid/too-many-emitters",
                    fmt::format("there are {} emitters; at most {} are supported", emitters.size(),
                                kMaxEmitters));
        return false;
    }
    return std::ranges::all_of(emitters, [&](const EmitterShape& emitter) {
        return all_in_range(graph, "emitter.position", emitter.position) &&
               all_in_range(graph, "emitter.velocity", emitter.velocity) &&
               all_in_range(graph, "emitter.dye", emitter.dye) &&
               in_range(graph, "emitter.radius", static_cast<double>(emitter.radius), 0.0, kFar) &&
               in_range(graph, "emitter.rate", static_cast<double>(emitter.rate), 0.0, kFar);
    });
}

BufferDesc cells_desc(glm::uvec3 dims, FluidPrecision precision) {
    const std::uint32_t bytes = precision == FluidPrecision::full ? 16 : 8;
    return {.size = std::uint64_t{dims.x} * dims.y * dims.z * bytes, .stride = bytes};
}

void bind_flow(KernelNode& node, const FluidField& field) {
    const bool half = field.precision == FluidPrecision::half;
    node.read_optional("flow", half ? Buffer{} : field.cells);
    node.read_optional("flow_half", half ? field.cells : Buffer{});
}

void bind_obstacles(KernelNode& node, const FluidObstacles& solid) {
    node.read_optional("solid", solid ? solid.words : Buffer{});
}

void set_motion(KernelNode& node, const FluidObstacles& solid) {
    SolidMotion motion = solid.motion;
    if (solid.dims.z == 1) {
        motion.velocity.z = 0.0f;
        motion.spin.x = motion.spin.y = 0.0f;
    }
    node.set("solids.speed", motion.velocity);
    node.set("solids.spin", motion.spin);
    node.set("solids.pivot", motion.pivot);
}

void set_emitters(KernelNode& node, std::span<const EmitterShape> emitters, glm::uvec3 dims,
                  std::uint32_t scale) {
    std::vector<glm::vec4> places, velocities, dyes;
    for (const EmitterShape& emitter : emitters) {
        glm::vec4& place = places.emplace_back(emitter.position, emitter.radius);
        place *= static_cast<float>(scale);
        if (dims.z == 1) place.z = 0.5f;
        velocities.emplace_back(emitter.velocity, emitter.rate);
        dyes.push_back(emitter.dye);
    }
    const auto set = [&](std::string_view member, const std::vector<glm::vec4>& values) {
        node.set(member, std::span<const glm::vec4>(values));
    };
    node.set("emitters", static_cast<std::uint32_t>(emitters.size()));
    set("emitter_places", places);
    set("emitter_velocities", velocities);
    set("emitter_dyes", dyes);
}

} // namespace tuff::passes
