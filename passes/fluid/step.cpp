#include "passes/fluid/step.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/fluid/clock.hpp"
#include "passes/fluid/fluid_history.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tuff::passes {
namespace {

/// How the kernel splits a field among its groups.
struct Walk {
    glm::uvec2 plane{0}; ///< invocations of a group, along the axes that it does not walk along
    glm::uvec3 own{1};   ///< cells that a group steps
    glm::uvec3 groups{1};
};

/// The width of groups in two dimensions: the widest, unless a smaller one looks at clearly fewer
/// columns.
std::uint32_t width_of(std::uint32_t cells, std::uint32_t halo, std::uint32_t widest) {
    constexpr std::uint32_t kSubgroup = 32; // of many GPUs
    std::uint32_t best = 0;
    std::uint32_t fewest = 0;
    for (std::uint32_t width = widest / kSubgroup * kSubgroup; width >= 2 * kSubgroup;
         width -= kSubgroup) {
        const std::uint32_t columns = width * div_round_up(cells, width - 2 * halo);
        if (best != 0 && 20 * columns > 19 * fewest) continue;
        best = width;
        fewest = columns;
    }
    return best;
}

/// How far groups walk in two dimensions, where `across` of them walk side by side: so that all run
/// at once on a large GPU, or whole rounds of them do.
std::uint32_t rows_of(std::uint32_t cells, std::uint32_t across, std::uint32_t at_once) {
    constexpr std::uint32_t kLeast = 8;
    constexpr std::uint32_t kMax = 192;
    const std::uint32_t along = std::max(at_once / across, 1u);
    const std::uint32_t rounds = div_round_up(cells, along * kMax);
    return std::max(div_round_up(cells, along * rounds), kLeast);
}

/// The larger the plane, the smaller a part of it is its halo: the largest one that fits into 48
/// KiB, or into the least that devices have.
glm::uvec2 plane_of(const DeviceCaps& caps) {
    constexpr glm::uvec2 kLarge{32, 22};
    constexpr std::uint32_t kLargeShared = 48 * 1024;
    const bool fits =
        caps.max_group_invocations >= kLarge.x * kLarge.y && caps.max_shared_bytes >= kLargeShared;
    return fits ? kLarge : glm::uvec2(16, 16);
}

Walk walk_of(FluidMethod method, std::uint32_t steps, glm::uvec3 dims, const DeviceCaps& caps) {
    const bool flat = dims.z == 1;
    const std::uint32_t halo = (method == FluidMethod::two_stage ? 2 : 1) * steps;
    // Flat groups as wide and as many as were fastest on an NVIDIA H200: four to a multiprocessor
    // of those that take a step, two of those that take two.
    const std::uint32_t widest = std::min(caps.max_group_invocations, steps == 1 ? 320u : 352u);
    const std::uint32_t at_once = steps == 1 ? 528 : 264;
    Walk walk;
    walk.plane = flat ? glm::uvec2(width_of(dims.x, halo, widest), 1) : plane_of(caps);
    walk.own = glm::uvec3(walk.plane.x - 2 * halo, flat ? 1 : walk.plane.y - 2 * halo, 1);
    const glm::uvec3 tiles = (dims + walk.own - 1u) / walk.own;
    // The planes before and behind those that a group steps are read in vain, so the farther it
    // walks the better, as long as there are groups for all of a large device.
    if (flat) {
        walk.own.y = rows_of(dims.y, tiles.x, at_once);
    } else {
        constexpr std::uint32_t kWanted = 1024;
        const std::uint64_t planes = std::uint64_t{dims.z} * tiles.x * tiles.y;
        walk.own.z = std::clamp(static_cast<std::uint32_t>(planes / kWanted), 8u, 64u);
    }
    walk.groups = (dims + walk.own - 1u) / walk.own;
    return walk;
}

bool is_endless(const FluidBoundary& boundary, bool flat) {
    const auto along = [](FluidFace low, FluidFace high) {
        return low == FluidFace::periodic && high == FluidFace::periodic;
    };
    return along(boundary.left, boundary.right) && along(boundary.bottom, boundary.top) &&
           (flat || along(boundary.back, boundary.front));
}

bool has_open_side(const FluidBoundary& b) {
    return b.left == FluidFace::open || b.right == FluidFace::open || b.bottom == FluidFace::open ||
           b.top == FluidFace::open;
}

/// What both back ends take.
void set_up(KernelNode& node, const FluidStep& pass, const FluidField& before) {
    const bool flat = before.is_flat();
    node.specialize("kEndless", std::uint32_t(is_endless(pass.boundary, flat)));
    node.specialize("kTwoStage", std::uint32_t(pass.solver.method == FluidMethod::two_stage));
    node.specialize("kClocked", std::uint32_t(before.clocked));
    node.read("before", before.cells);
    node.read_optional("forces", pass.forces);
    bind_obstacles(node, before.solid);
    node.set("dims", glm::ivec3(before.dims));
    node.set("faces", pass.boundary.bits());
    node.set("dt", pass.solver.dt);
    node.set("stiffness", pass.solver.stiffness);
    node.set("viscosity", pass.solver.viscosity);
    constexpr float kMaxHalf = 65504.0f;
    const float fastest = pass.solver.fastest();
    node.set("fastest",
             before.precision == FluidPrecision::half ? std::min(fastest, kMaxHalf) : fastest);
    constexpr float kAnySpeed = std::numeric_limits<float>::max();
    node.set("courant", pass.solver.adaptive ? pass.solver.courant : kAnySpeed);
    node.set("min_dt", pass.solver.min_dt);
    node.set("tick", before.tick);
    node.set("force", pass.solver.force);
    node.set("inflow", pass.boundary.inflow);
    node.set("from_rest", std::uint32_t(pass.from_rest));
    set_motion(node, before.solid);
    set_emitters(node, pass.emitters, before.dims);
}

/// The status also keeps time where steps adapt, and then its steps are in order.
Buffer bind_status(KernelNode& node, const FluidField& field) {
    return field.clocked ? node.write("status", field.status)
                         : node.accumulate("status", field.status);
}

Buffer compute_step(Graph& graph, const FluidStep& pass, FluidField& field, Buffer target) {
    const bool flat = field.is_flat();
    const Walk walk = walk_of(pass.solver.method, pass.steps, field.dims, graph.target());
    ComputeNodeBuilder node =
        graph.compute(flat ? "fluid/step_2d" : "fluid/step_3d",
                      {{"HALF", field.precision == FluidPrecision::half}}, "step");
    set_up(node, pass, field);
    node.specialize("local_size_x", walk.plane.x);
    if (flat) {
        node.specialize("kSteps", pass.steps);
    } else {
        node.specialize("local_size_y", walk.plane.y);
    }
    node.set("depth", static_cast<std::int32_t>(walk.own[flat ? 1 : 2]));
    field.status = bind_status(node, field);
    node.dispatch(walk.groups.x, walk.groups.y, walk.groups.z);
    return node.write("after", target);
}

Buffer draw_step(Graph& graph, const FluidStep& pass, FluidField& field, Buffer target) {
    RasterNodeBuilder node = graph.raster("fluid/step_draw", "step");
    const Image drawn =
        node.color(graph.image("drawn", {.format = Format::rgba32_sfloat,
                                         .extent = {field.dims.x, field.dims.y, 1}}),
                   discarded());
    set_up(node, pass, field);
    field.status = bind_status(node, field);
    node.draw({.count = 3});
    return graph.copy_to_buffer(drawn, target);
}

bool has_forces(Graph& graph, Buffer forces, const FluidField& field) {
    if (!forces || graph.desc(forces).size / 16 >= field.count()) return true;
    graph.error("primitives/too-short", "\"forces\" does not hold a vec4 for each cell");
    return false;
}

} // namespace

bool fuses(const FluidSolverParameters& solver, const FluidBoundary& boundary, glm::uvec3 dims) {
    return dims.z == 1 && solver.back_end == FluidBackEnd::compute && !solver.adaptive &&
           !has_open_side(boundary);
}

bool can_step(Graph& graph, const FluidSolverParameters& solver, glm::uvec3 dims,
              FluidPrecision precision) {
    const bool flat = dims.z == 1;
    if (solver.back_end == FluidBackEnd::compute || (flat && precision == FluidPrecision::full))
        return true;
    graph.error("fluid/raster",
                flat ? "the back end \"raster\" has no states of 16 bits"
                     : "the back end \"raster\" draws flat fields alone",
                "choose the back end \"compute\"");
    return false;
}

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
            "Velocity and density share one grid, whose differences do not see waves of two cells: "
            "where emitters or sides hold the velocity such waves stand, and only viscosity damps "
            "them, with \"two_stage\" those of the density, too. "
            "Without open sides and inflow mass is kept to rounding. Densities are held in "
            "[0.5, 3], speeds below a cell a step along each axis; cells that are not finite are "
            "set to rest and forces that are not are left out: \"status\" counts all of them. "
            "Steps may adapt to the fluid (\"adaptive\"): each finds the greatest speed that it "
            "leaves, along any axis, and the next one is so short that fluid crosses no more than "
            "\"courant\" cells, but no shorter than \"min_dt\" (fluid/step-held); speeds are then "
            "held below a cell in that time. The status keeps how long they were together. A state "
            "of half precision stays one. "
            "Parameters for which the scheme is unstable are refused, with the bound and the "
            "parameters that break it (fluid/unstable-viscosity, fluid/unstable-pressure, "
            "fluid/time-step). A set-up that is its own mirror image along an axis stays so to "
            "the bit.")
        .source("Guay, Colin and Egli, \"Simple and Fast Fluids\", GPU Pro 2, 2011; the second "
                "stage is Tuff's")
        .complexity("O(cells)")
        .cost([](const FluidStep& pass, const Graph&) {
            const double cells = static_cast<double>(pass.before.count());
            const double state = pass.before.precision == FluidPrecision::half ? 16.0 : 32.0;
            return Cost{.bytes = (state + (pass.forces ? 16.0 : 0.0)) * cells,
                        .operations = (pass.before.is_flat() ? 80.0 : 130.0) * pass.steps * cells};
        });
    info.input("before", &FluidStep::before, "the state before the step");
    info.input_list("emitters", &FluidStep::emitters, "where fluid comes from, at most 8");
    info.optional_input("forces", &FluidStep::forces,
                        "a vec4 a cell: acceleration, in cells a time unit squared")
        .elements<glm::vec4>();
    info.group("solver", &FluidStep::solver);
    info.group("boundary", &FluidStep::boundary);
    info.output("after", &FluidStep::after, "the state after it");
}

void FluidStep::build(Graph& graph) {
    if (!is_valid(graph, before, "before") || !is_valid(graph, boundary, before.dims) ||
        !is_valid(graph, emitters) || !has_forces(graph, forces, before) ||
        !can_step(graph, solver, before.dims, before.precision) ||
        !is_stable(graph, solver, boundary, before.solid.motion, emitters, before.dims))
        return;
    const bool draws = solver.back_end == FluidBackEnd::raster;
    after = before;
    if (!after.status) after.status = no_fluid_events(graph);
    if (solver.adaptive && !after.clocked) after = with_clock(graph, after, from_rest);
    const Buffer result =
        target ? target : graph.buffer("cells", cells_desc(before.dims, before.precision));
    after.cells =
        draws ? draw_step(graph, *this, after, result) : compute_step(graph, *this, after, result);
    after.boundary = boundary;
    for (std::uint32_t step = 0; step < steps; ++step)
        after.elapsed += solver.dt;
    if (after.clocked) after.tick = (after.tick + 1) % 3;
    after.sound = solver.sound();
    graph.status<FluidStatus>(after.status);
}

TUFF_PASS(FluidStep)

} // namespace tuff::passes
