#include "passes/fluid/step.hpp"

#include "passes/common/picture.hpp"
#include "passes/fluid/kept.hpp"

#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

#include <algorithm>
#include <cmath>

namespace tuff::passes {
namespace {

/// How the kernel splits a field among its groups.
struct Walk {
    std::string_view kernel;
    glm::uvec3
        tile; ///< cells of the plane that a group takes along the last axis, as in the kernel
    std::uint32_t depth; ///< planes that a group steps

    glm::uvec3 groups(glm::uvec3 dims) const {
        glm::uvec3 span = tile;
        span[dims.z == 1 ? 1 : 2] = depth;
        return (dims + span - 1u) / span;
    }
};

/// The planes before and behind those that a group steps are read in vain, so the farther it walks
/// the better, as long as there are groups for all of a large device.
std::uint32_t depth_of(glm::uvec3 dims, glm::uvec3 tile) {
    constexpr std::uint64_t kGroups = 512;
    constexpr std::uint32_t kLeast = 8;
    constexpr std::uint32_t kMost = 64;
    const bool flat = dims.z == 1;
    const glm::uvec3 tiles = (dims + tile - 1u) / tile;
    const std::uint64_t lines = std::uint64_t{tiles.x} * (flat ? 1u : tiles.y);
    const std::uint64_t planes = flat ? dims.y : dims.z;
    return std::clamp(static_cast<std::uint32_t>(planes * lines / kGroups), kLeast, kMost);
}

Walk walk_of(FluidMethod method, glm::uvec3 dims) {
    constexpr std::uint32_t kNarrow = 192; // where most of a wide tile would be beyond the field
    const bool staged = method == FluidMethod::two_stage;
    Walk walk;
    if (dims.z > 1)
        walk = {staged ? "fluid/step_3d_two_stage" : "fluid/step_3d", {32, 8, 1}, 0};
    else if (dims.x <= kNarrow)
        walk = {staged ? "fluid/step_2d_two_stage_narrow" : "fluid/step_2d_narrow", {64, 1, 1}, 0};
    else
        walk = {staged ? "fluid/step_2d_two_stage" : "fluid/step_2d", {256, 1, 1}, 0};
    walk.depth = depth_of(dims, walk.tile);
    return walk;
}

bool has_forces(Graph& graph, Buffer forces, const FluidField& field) {
    if (!forces || graph.desc(forces).size / 16 >= field.count()) return true;
    graph.error("primitives/too-short", "\"forces\" does not hold a vec4 for each cell");
    return false;
}

} // namespace

bool is_stable(Graph& graph, const FluidSolverParameters& solver, const FluidBoundary& boundary,
               const SolidMotion& motion, std::span<const EmitterShape> emitters, glm::uvec3 dims) {
    const auto greatest = [](glm::vec3 v) {
        return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
    };
    float fastest = std::max(greatest(boundary.inflow), greatest(motion.velocity));
    for (const EmitterShape& emitter : emitters)
        fastest = std::max(fastest, greatest(emitter.velocity));
    bool stable = true;
    for (Diagnostic& found : check_stability(solver, dims.z == 1 ? 2 : 3, fastest)) {
        stable = stable && found.severity != Severity::error;
        graph.report(std::move(found));
    }
    return stable;
}

void FluidStep::describe(PassInfo<FluidStep>& info) {
    info.summary("One step of a fluid whose density drives its pressure, in one kernel")
        .details(
            "Velocity and density of a cell are found from the state before alone: the velocity is "
            "traced back (semi-Lagrangian, linear between cells), gets viscosity, forces, and "
            "the pressure -K/dt grad(density); the density follows from conservation of mass. "
            "There is no system to solve, and none of the divergence is removed: this is a gas, "
            "whose sound travels at sqrt(K/dt) cells a time unit, and the flow must stay well "
            "below that. It has no free surfaces. A cell is read once and written once, 32 bytes. "
            "Next to solids the velocity along that axis is theirs (fluid/obstacles), zero where "
            "they stand, and the density beyond is the cell's own; solids of which only corners "
            "touch let fluid through between them. "
            "Without open sides and inflow mass is kept to rounding. Densities are held in "
            "[0.5, 3], speeds below a cell a step along each axis; cells that are not finite are "
            "set to rest and forces that are not are left out: \"status\" counts all of them. "
            "Parameters for which the scheme is unstable are refused, with the bound and the "
            "parameters that break it (fluid/unstable-viscosity, fluid/unstable-pressure, "
            "fluid/time-step). A set-up that is its own mirror image along an axis stays so to "
            "the bit.")
        .source("Guay, Colin and Egli, \"Simple and Fast Fluids\", GPU Pro 2, 2011; the second "
                "stage is Tuff's")
        .complexity("O(cells)")
        .cost([](const FluidStep& pass, const Graph&) {
            const double cells = static_cast<double>(pass.before.count());
            return Cost{.bytes = (pass.forces ? 48.0 : 32.0) * cells,
                        .operations = (pass.before.is_flat() ? 80.0 : 130.0) * cells};
        });
    info.input("before", &FluidStep::before, "the state before the step");
    info.input_list("emitters", &FluidStep::emitters, "where fluid comes from, at most 8");
    info.optional_input("forces", &FluidStep::forces,
                        "a vec4 a cell: acceleration, in cells a time unit squared");
    info.group("solver", &FluidStep::solver);
    info.group("boundary", &FluidStep::boundary);
    info.output("after", &FluidStep::after, "the state after it");
}

void FluidStep::build(Graph& graph) {
    after = before; // what stands where something is refused
    if (!is_valid(graph, before, "before") || !is_valid(graph, boundary, before.dims) ||
        !is_valid(graph, emitters) || !has_forces(graph, forces, before) ||
        !is_stable(graph, solver, boundary, before.solid.motion, emitters, before.dims))
        return;
    const Walk walk = walk_of(solver.method, before.dims);
    ComputeNodeBuilder node = graph.compute(walk.kernel, "step");
    node.read("before", before.cells);
    node.read("forces", forces ? forces : before.cells);
    node.specialize("kForced", std::uint32_t(bool(forces)));
    bind_obstacles(node, before.solid, before.cells);
    node.set("dims", glm::ivec3(before.dims));
    node.set("faces", boundary.bits());
    node.set("dt", solver.dt);
    node.set("stiffness", solver.stiffness);
    node.set("viscosity", solver.viscosity);
    node.set("fastest", 1.0f / solver.dt);
    node.set("force", solver.force);
    node.set("inflow", boundary.inflow);
    node.set("from_rest", std::uint32_t(from_rest));
    node.set("depth", static_cast<std::int32_t>(walk.depth));
    set_motion(node, before.solid);
    set_emitters(node, emitters, before.dims);
    if (!after.status) after.status = no_fluid_events(graph);
    after.status = node.accumulate("status", after.status);
    after.cells =
        node.write("after", target ? target : graph.buffer("cells", cells_desc(before.dims)));
    after.boundary = boundary;
    after.elapsed = before.elapsed + solver.dt;
    const glm::uvec3 groups = walk.groups(before.dims);
    node.dispatch(groups.x, groups.y, groups.z);
    graph.status<FluidStatus>(after.status);
}

} // namespace tuff::passes
