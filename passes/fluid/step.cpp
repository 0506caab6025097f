#include "passes/fluid/step.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/fluid/clock.hpp"
#include "passes/fluid/fluid_history.hpp"
#include "passes/fluid/parts.hpp"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <glm/vector_relational.hpp>

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

/// Of `dims` cells; a part of a deep field may be one cell deep.
Walk walk_of(FluidMethod method, std::uint32_t steps, bool flat, glm::uvec3 dims,
             const DeviceCaps& caps) {
    const std::uint32_t halo = static_cast<std::uint32_t>(reach_of(method)) * steps;
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

/// What both back ends take, but the grid.
void set_up(KernelNode& node, const FluidStep& pass, const FluidField& before) {
    const bool flat = before.is_flat();
    node.specialize("kEndless", std::uint32_t(is_endless(pass.boundary, flat)));
    node.specialize("kTwoStage", std::uint32_t(pass.solver.method == FluidMethod::two_stage));
    node.specialize("kClocked", std::uint32_t(before.clocked));
    node.read("before", before.cells);
    node.read_optional("forces", pass.forces);
    bind_obstacles(node, before.solid);
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

ComputeNodeBuilder step_node(Graph& graph, const FluidStep& pass, const FluidField& field,
                             const Walk& walk, std::string_view name) {
    const bool flat = field.is_flat();
    ComputeNodeBuilder node =
        graph.compute(flat ? "fluid/step_2d" : "fluid/step_3d",
                      {{"HALF", field.precision == FluidPrecision::half}}, name);
    set_up(node, pass, field);
    node.specialize("local_size_x", walk.plane.x);
    if (flat) {
        node.specialize("kSteps", pass.steps);
    } else {
        node.specialize("local_size_y", walk.plane.y);
    }
    node.set("depth", static_cast<std::int32_t>(walk.own[flat ? 1 : 2]));
    return node;
}

Buffer compute_step(Graph& graph, const FluidStep& pass, FluidField& field, Buffer target) {
    const Walk walk =
        walk_of(pass.solver.method, pass.steps, field.is_flat(), field.dims, graph.target());
    ComputeNodeBuilder node = step_node(graph, pass, field, walk, "step");
    set_grid(node, field);
    field.status = bind_status(node, field);
    node.dispatch(walk.groups.x, walk.groups.y, walk.groups.z);
    return node.write("after", target);
}

/// The groups of a walk through `cells` that step no cell which others need: they are at least
/// `width` cells away from the borders with other ranks.
CellRange inner_groups(const FluidField& field, std::int32_t width, const CellRange& cells,
                       const Walk& walk) {
    CellRange inner{.to = glm::ivec3(walk.groups)};
    for (int axis = 0; axis < 3; ++axis) {
        if (field.part.halo[axis] == 0) continue;
        const auto own = static_cast<int>(walk.own[axis]);
        inner.from[axis] = (width + own - 1) / own;
        inner.to[axis] = (cells.to[axis] - cells.from[axis] - width) / own;
    }
    if (glm::any(glm::lessThanEqual(inner.to, inner.from))) return {};
    return inner;
}

/// A step of the rank's part and the margin around it. Without a margin the halo is filled after
/// it: what others need is stepped first, and travels while the rest is stepped.
Buffer step_of_part(Graph& graph, const FluidStep& pass, FluidField& field, Buffer target) {
    const CellRange cells = cells_around(field, pass.margin);
    const Walk walk = walk_of(pass.solver.method, pass.steps, field.is_flat(),
                              glm::uvec3(cells.to - cells.from), graph.target());
    CellRange inner;
    const std::int32_t filled = pass.filled.value_or(halo_of(field));
    if (pass.margin == 0) inner = inner_groups(field, filled, cells, walk);
    const Buffer status = field.status;
    const auto step = [&](std::string_view name, const CellRange& groups, const CellRange& left_out,
                          Buffer result) {
        ComputeNodeBuilder node = step_node(graph, pass, field, walk, name);
        set_grid(node, field, cells);
        node.set("first_group", groups.from);
        node.set("left_from", left_out.from);
        node.set("left_to", left_out.to);
        set_own_cells(node, field);
        field.status = node.accumulate("status", status);
        const glm::uvec3 count(groups.to - groups.from);
        node.dispatch(count.x, count.y, count.z);
        return node.write("after", result);
    };
    const CellRange all{.to = glm::ivec3(walk.groups)};
    if (pass.margin > 0 || halo_of(field) == 0) return step("step", all, {}, target);
    if (inner == CellRange{}) {
        const Buffer after = step("step", all, {}, target);
        return fill_halo(graph, field, filled, after, after);
    }
    const Buffer border = step("border", all, inner, target);
    return fill_halo(graph, field, filled, border, step("inner", inner, {}, border));
}

Buffer draw_step(Graph& graph, const FluidStep& pass, FluidField& field, Buffer target) {
    RasterNodeBuilder node = graph.raster("fluid/step_draw", "step");
    const Image drawn =
        node.color(graph.image("drawn", {.format = Format::rgba32_sfloat,
                                         .extent = {field.dims.x, field.dims.y, 1}}),
                   discarded());
    set_up(node, pass, field);
    set_grid(node, field);
    field.status = bind_status(node, field);
    node.draw({.count = 3});
    return graph.copy_to_buffer(drawn, target);
}

/// The halo has what the boundary of the pass that made it says.
bool keeps_periods(Graph& graph, const FluidBoundary& boundary, const FluidField& field) {
    if (!field.part || boundary.periodic() == field.boundary.periodic()) return true;
    graph.error("fluid/ranks",
                "sides are periodic here or in the pass that made the field, and not in both",
                "give both the same \"boundary\"");
    return false;
}

bool has_forces(Graph& graph, Buffer forces, const FluidField& field) {
    if (!forces || graph.desc(forces).size / 16 >= field.count()) return true;
    graph.error("primitives/too-short", "\"forces\" has fewer than one vec4 for each cell");
    return false;
}

} // namespace

bool fuses(const FluidSolverParameters& solver, const FluidBoundary& boundary, glm::uvec3 dims) {
    return dims.z == 1 && solver.back_end == FluidBackEnd::compute && !solver.adaptive &&
           !has_open_side(boundary);
}

float greatest_speed(const FluidSolverParameters& solver, const FluidObstacles& solid) {
    if (!solid) return solver.fastest();
    const SolidMotion& motion = solid.motion;
    float speed = glm::length(motion.velocity);
    if (motion.spin != glm::vec3(0.0f)) {
        const glm::vec3 farthest =
            glm::max(glm::abs(motion.pivot), glm::abs(glm::vec3(solid.dims) - motion.pivot));
        speed += glm::length(motion.spin) * glm::length(farthest);
    }
    return std::max(solver.fastest(), speed);
}

std::int32_t reach_of(FluidMethod method) {
    return method == FluidMethod::two_stage ? 2 : 1;
}

bool can_step(Graph& graph, const FluidSolverParameters& solver, glm::uvec3 dims,
              FluidPrecision precision) {
    if (graph.ranks().size() > 1 && solver.back_end == FluidBackEnd::raster) {
        graph.error("fluid/ranks",
                    "several ranks cannot step their parts of a field with the back end \"raster\"",
                    "set \"back_end\" to \"compute\"");
        return false;
    }
    const bool flat = dims.z == 1;
    if (solver.back_end == FluidBackEnd::compute || (flat && precision == FluidPrecision::full))
        return true;
    graph.error("fluid/raster",
                flat ? "\"raster\" does not support 16-bit states"
                     : "\"raster\" supports only flat fields",
                "set \"back_end\" to \"compute\"");
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
    info.summary("Simulates a compressible fluid for one step, in one kernel")
        .details(
            "Velocity and density of a cell depend only on the previous state. The velocity is "
            "advected (semi-Lagrangian, linear between cells), and gets viscosity, forces, and "
            "the pressure force -K/dt grad(density). The density follows from conservation of "
            "mass. There is no system to solve, and the divergence is not removed. So the "
            "fluid is a gas with the speed of sound sqrt(K/dt) cells per time unit, and the "
            "flow must stay well below that. There are no free surfaces. A step reads and "
            "writes each cell once, 32 bytes.\n\n"
            "Next to solids, the velocity along that axis is the solids' (fluid/obstacles), "
            "zero if they stand, and the density beyond is the cell's own. Solids that touch "
            "only at corners let fluid through. Velocity and density share one grid, whose "
            "differences do not see waves of two cells. Where emitters or sides fix the "
            "velocity, such waves persist; viscosity damps them, with \"two_stage\" those of "
            "the density, too.\n\n"
            "Without open sides and inflow, mass is conserved up to rounding. Densities are "
            "clamped to [0.5, 3], speeds to less than a cell a step along each axis. Cells "
            "that are infinite or NaN are set to rest, and such forces are ignored. \"status\" "
            "counts all of these.\n\n"
            "With \"adaptive\", each step finds the largest speed along any axis after it. The "
            "next step is so short that fluid crosses at most \"courant\" cells, but at least "
            "\"min_dt\" (fluid/step-held); speeds are then clamped to less than a cell in that "
            "time. The status has their total time.\n\n"
            "Where the graph has several ranks, and fluid/simple has made the field in parts, "
            "each rank steps its part, and the halo travels while the inner cells are stepped. "
            "The bits are those of one rank. \"status\" then counts the cells of the rank's "
            "part. Before an adaptive step all ranks learn the largest speed of the whole field, "
            "by mpi/all_reduce; time and held steps of the status are equal on all ranks. "
            "\"raster\" is refused (fluid/ranks).\n\n"
            "A state of half precision keeps its precision. Parameters for which the scheme is "
            "unstable are refused; the error names the bound and the parameters "
            "(fluid/unstable-viscosity, fluid/unstable-pressure, fluid/time-step). If the "
            "setup is mirror-symmetric along an axis, the result is too, to the bit.")
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
    info.input_list("emitters", &FluidStep::emitters, "the sources of fluid, at most 8");
    info.optional_input("forces", &FluidStep::forces,
                        "one vec4 a cell: acceleration, in cells per time unit squared")
        .elements<glm::vec4>();
    info.group("solver", &FluidStep::solver);
    info.group("boundary", &FluidStep::boundary);
    info.output("after", &FluidStep::after, "the state after the step");
}

void FluidStep::build(Graph& graph) {
    if (!is_valid_in_parts(graph, before, "before") || !is_valid(graph, boundary, before.dims) ||
        !keeps_periods(graph, boundary, before) ||
        !has_halo(graph, before, margin + reach_of(solver.method) * static_cast<int>(steps),
                  "the step") ||
        !is_valid(graph, emitters) || !has_forces(graph, forces, before) ||
        !can_step(graph, solver, before.dims, before.precision) ||
        !is_stable(graph, solver, boundary, before.solid.motion, emitters, before.dims))
        return;
    const bool draws = solver.back_end == FluidBackEnd::raster;
    after = before;
    if (!after.status) after.status = no_fluid_events(graph);
    if (solver.adaptive && !after.clocked) after = with_clock(graph, after, from_rest);
    if (solver.adaptive && after.part) after = with_speed_of_all(graph, after);
    const Buffer result =
        target ? target : graph.buffer("cells", cells_desc(before.held(), before.precision));
    after.boundary = boundary;
    after.fastest = std::max(after.fastest, greatest_speed(solver, before.solid));
    after.cells = draws        ? draw_step(graph, *this, after, result)
                  : after.part ? step_of_part(graph, *this, after, result)
                               : compute_step(graph, *this, after, result);
    for (std::uint32_t step = 0; step < steps; ++step)
        after.elapsed += solver.dt;
    if (after.clocked) after.tick = (after.tick + 1) % 3;
    after.sound = solver.sound();
    graph.status<FluidStatus>(after.status);
}

TUFF_PASS(FluidStep)

} // namespace tuff::passes
