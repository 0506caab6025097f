#include "passes/fluid/stable.hpp"

#include "passes/common/picture.hpp"
#include "passes/fluid/kept.hpp"
#include "passes/fluid/pressure.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

void set_grid(ComputeNodeBuilder& node, const StableFluid& pass) {
    node.set("dims", glm::ivec3(pass.dims));
    node.set("faces", pass.boundary.bits());
    node.dispatch_over({pass.dims.x, pass.dims.y, pass.dims.z});
}

/// Only sides for which the pressure's problem is that of a closed or endless box.
bool has_closed_sides(Graph& graph, const StableFluid& pass) {
    const FluidBoundary& b = pass.boundary;
    std::size_t side = 0;
    for (const FluidFace face : {b.left, b.right, b.bottom, b.top, b.back, b.front}) {
        if (side++ >= 4 && pass.dims.z == 1) break;
        if (face == FluidFace::wall || face == FluidFace::periodic) continue;
        graph.error("fluid/unsupported-side", "fluid/stable has no sides of \"inflow\" or \"open\"",
                    "make them \"wall\" or \"periodic\", and let emitters drive the flow; or use "
                    "fluid/simple");
        return false;
    }
    return true;
}

bool has_valid_parameters(Graph& graph, const StableFluid& pass) {
    for (int axis = 0; axis < 3; ++axis)
        if (!in_range(graph, "gravity", static_cast<double>(pass.gravity[axis]), -1e6, 1e6) ||
            !in_range(graph, "force.buoyancy", static_cast<double>(pass.force.buoyancy[axis]), -1e6,
                      1e6))
            return false;
    return is_valid_grid(graph, pass.dims) && has_closed_sides(graph, pass) &&
           is_valid(graph, pass.boundary, pass.dims) && is_valid(graph, pass.emitters) &&
           in_range(graph, "dt", static_cast<double>(pass.dt), 1e-6, 1e6) &&
           in_range(graph, "tolerance", static_cast<double>(pass.tolerance), 1e-9, 1.0) &&
           in_range(graph, "max_cycles", pass.max_cycles, 1, 1000) &&
           is_valid(graph, pass.dye_parameters, pass.dims, pass.dt);
}

} // namespace

void StableFluid::describe(PassInfo<StableFluid>& info) {
    info.summary("An incompressible fluid: advection, forces, and a projection by a Poisson solve")
        .details(
            "Velocities lie on the faces of the cells. An execution is a step: each face looks up "
            "where its fluid came from (by a midpoint, linear between faces), takes on forces and "
            "the emitters' velocities, and faces of solids and walls get none; then the pressure "
            "that takes the divergence away is solved for (solver/poisson) and its gradient "
            "subtracted. Steps of any length are stable. Sides are walls or "
            "periodic. The dye moves with the velocities at the cells' middles, which \"field\" "
            "holds. State and dye are histories; the first execution, and those with \"reset\", "
            "begin with \"initial\" or at rest, and without dye. Velocities that are not finite "
            "are set to 0 and counted.")
        .source("Stam, \"Stable Fluids\", SIGGRAPH 1999; Harlow and Welch, Physics of Fluids 8, "
                "1965 (staggered grid)")
        .complexity("O(cells)")
        .cost([](const StableFluid& pass, const Graph&) {
            const double cells = static_cast<double>(pass.field.count());
            // Advection 32, divergence 20, a cycle about 40, projection 52 bytes a cell.
            return Cost{.bytes = (104.0 + 40.0 * 3.0) * cells, .operations = 700.0 * cells};
        });
    info.optional_input("obstacles", &StableFluid::obstacles, "solid cells");
    info.input_list("emitters", &StableFluid::emitters, "where fluid and dye come from, at most 8");
    info.optional_input("initial", &StableFluid::initial,
                        "a vec4 a cell: velocity through its faces of least x, y and z");
    info.parameter("dims", &StableFluid::dims,
                   "cells along each axis, unless \"obstacles\" says it; z is 1 in 2D")
        .range(1, kMaxFluidSide)
        .unit("cells")
        .structural();
    info.parameter("dt", &StableFluid::dt, "length of the step")
        .range(1e-6, 1e6)
        .unit("time units");
    info.parameter("reset", &StableFluid::reset, "begins anew");
    info.parameter("gravity", &StableFluid::gravity, "acceleration of all fluid")
        .range(-1e6, 1e6)
        .unit("cells / time unit^2");
    info.group("boundary", &StableFluid::boundary);
    info.group("force", &StableFluid::force);
    info.group("dye", &StableFluid::dye_parameters);
    info.parameter("tolerance", &StableFluid::tolerance,
                   "of the pressure's residual, relative to the divergence")
        .range(1e-9, 1.0);
    info.parameter("max_cycles", &StableFluid::max_cycles, "most cycles of the solver")
        .range(1, 1000)
        .structural();
    info.output("field", &StableFluid::field, "velocity at the middles of cells; density 0");
    info.output("dye", &StableFluid::dye, "the dye now");
    info.output("faces", &StableFluid::faces,
                "a vec4 a cell: velocity through its faces of least x, y and z");
    info.output("pressure", &StableFluid::pressure, "f32 a cell: dt times the pressure");
    info.output("solver_status", &StableFluid::solver_status, "of the solver");
}

void StableFluid::build(Graph& graph) {
    if (obstacles) dims = obstacles.dims;
    if (!has_valid_parameters(graph, *this)) return;
    const KeptFluid kept = keep_fluid(graph, dims, initial, reset);
    const KeptDye colors = keep_dye(graph, dims, dye_parameters.scale);
    const BufferDesc centers = cells_desc(dims);
    field = {.solid = obstacles, .dims = dims, .boundary = boundary, .elapsed = dt};
    field.status = no_fluid_events(graph);

    Buffer forces;
    if (force.any()) {
        // Confinement looks at the middles of cells, which this execution has yet to find.
        ComputeNodeBuilder node = graph.compute("fluid/center", "middles");
        node.read("velocities", kept.before);
        set_grid(node, *this);
        FluidField middles = field;
        middles.cells = node.write("after", graph.buffer("middles", centers));
        FluidForces pass{.field = middles, .dye = colors.before, .parameters = force};
        if (kept.from_rest) pass.parameters = {};
        forces = graph.add(pass).forces;
    }

    ComputeNodeBuilder advect = graph.compute("fluid/stable_advect", "advect");
    advect.read("before", kept.before);
    advect.read("forces", forces ? forces : kept.before);
    advect.specialize("kForced", std::uint32_t(bool(forces)));
    advect.set("dt", dt);
    advect.set("gravity", gravity);
    advect.set("from_rest", std::uint32_t(kept.from_rest));
    set_emitters(advect, emitters, dims);
    field.status = advect.accumulate("status", field.status);
    const Buffer moved = advect.write("after", graph.buffer("moved", centers));
    bind_obstacles(advect, obstacles, kept.before);
    set_grid(advect, *this);

    const PressureProblem problem = pressure_problem(graph, moved, obstacles, boundary, dims);
    const PressureSolution solution = solve_pressure(graph, problem, tolerance, max_cycles);
    pressure = solution.pressure;
    solver_status = solution.status;

    ComputeNodeBuilder project = graph.compute("fluid/stable_project", "project");
    project.read("moved", moved);
    project.read("pressure", pressure);
    faces = project.write("faces_after", kept.after);
    field.cells = project.write("centers", graph.buffer("centers", centers));
    bind_obstacles(project, obstacles, moved);
    set_grid(project, *this);

    dye = carry_dye(graph, colors, field, emitters, dye_parameters, reset);
}

} // namespace tuff::passes
