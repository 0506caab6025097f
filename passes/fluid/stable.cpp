#include "passes/fluid/stable.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/fluid/fluid_history.hpp"
#include "passes/fluid/pressure.hpp"
#include "passes/solver/poisson_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tuff::passes {
namespace {

/// An array for each axis of a number a cell.
BufferDesc faces_desc(glm::uvec3 dims) {
    const std::uint64_t count = std::uint64_t{dims.x} * dims.y * dims.z;
    return {.size = 4 * count * (dims.z == 1 ? 2 : 3), .stride = 4};
}

void set_grid(ComputeNodeBuilder& node, const StableFluid& pass) {
    node.set("dims", glm::ivec3(pass.dims));
    node.set("faces", pass.boundary.bits());
    node.set("inflow", pass.boundary.inflow);
    set_motion(node, pass.obstacles);
}

/// Slices that an invocation of fluid/stable_advect_3d walks through.
constexpr std::uint32_t kAdvectedDepth = 32;

/// Whether what comes in through sides may leave.
bool has_outlet(Graph& graph, const StableFluid& pass) {
    const FluidBoundary& b = pass.boundary;
    const std::array<std::array<FluidFace, 2>, 3> sides{
        {{b.left, b.right}, {b.bottom, b.top}, {b.back, b.front}}};
    double flux = 0.0;
    double most = 0.0;
    for (int axis = 0; axis < (pass.dims.z == 1 ? 2 : 3); ++axis) {
        const auto& [low, high] = sides[static_cast<std::size_t>(axis)];
        if (low == FluidFace::open || high == FluidFace::open) return true;
        const double area = static_cast<double>(pass.dims.x) * pass.dims.y * pass.dims.z /
                            pass.dims[axis] * static_cast<double>(b.inflow[axis]);
        flux += (low == FluidFace::inflow ? area : 0.0) - (high == FluidFace::inflow ? area : 0.0);
        most = std::max(most, std::abs(area));
    }
    if (std::abs(flux) <= 1e-6 * most) return true;
    graph.error("fluid/no-outlet",
                fmt::format("{:g} cells per time unit enter through sides of \"inflow\", but "
                            "no side lets fluid out",
                            flux),
                "make a side \"open\"");
    return false;
}

bool has_valid_parameters(Graph& graph, const StableFluid& pass) {
    return is_valid_grid(graph, pass.dims) && is_valid(graph, pass.boundary, pass.dims) &&
           has_outlet(graph, pass) && is_valid(graph, pass.obstacles, pass.dims) &&
           is_valid(graph, pass.emitters) &&
           is_valid(graph, pass.dye_parameters, pass.dims, pass.dt);
}

} // namespace

void StableFluid::describe(PassInfo<StableFluid>& info) {
    info.summary("Simulates an incompressible fluid: advection, forces and a pressure "
                 "projection")
        .details(
            "Velocities are stored on the faces of the cells (staggered grid). An execution is "
            "one step. Each face traces back to where its fluid came from (midpoint method, "
            "linear between faces), and gets forces and the emitters' velocities; faces of "
            "solids and walls get theirs. Then the pass solves for the pressure that removes "
            "the divergence (solver/poisson), and subtracts the pressure's gradient. Steps of "
            "any length are stable.\n\n"
            "Fluid enters through sides of \"inflow\" at the given velocity. It leaves through "
            "\"open\" sides, where the pressure is 0 and velocities are those of the next face "
            "inside. At solids it moves with them (fluid/obstacles). Pockets enclosed by "
            "solids are solved with the rest. If moving solids compress or expand a pocket, "
            "its divergence remains, and \"solver_status\" reports that the solver "
            "stagnated.\n\n"
            "The dye moves with the velocities at the cells' centers, which \"field\" has. "
            "State and dye persist in histories. The first execution, and any with \"reset\", "
            "starts with \"initial\" or at rest, and without dye. Velocities that are not "
            "finite are set to 0 and counted.")
        .source("Stam, \"Stable Fluids\", SIGGRAPH 1999; Harlow and Welch, Physics of Fluids 8, "
                "1965 (staggered grid)")
        .complexity("O(cells)")
        .cost([](const StableFluid& pass, const Graph&) {
            const double cells = static_cast<double>(pass.field.count());
            // Advection 24, divergence 16, a cycle about 40, projection 44 bytes a cell.
            return Cost{.bytes = (84.0 + 40.0 * 3.0) * cells, .operations = 700.0 * cells};
        });
    info.optional_input("obstacles", &StableFluid::obstacles, "solid cells");
    info.input_list("emitters", &StableFluid::emitters, "the sources of fluid and dye, at most 8");
    info.optional_input("initial", &StableFluid::initial,
                        "one vec4 a cell: velocity through its lower faces of x, y and z")
        .elements<glm::vec4>();
    info.parameter("dims", &StableFluid::dims,
                   "cells along each axis, unless \"obstacles\" defines them; z is 1 in 2D")
        .range(1, kMaxFluidSide)
        .unit("cells")
        .structural();
    info.parameter("dt", &StableFluid::dt, "length of the step")
        .range(1e-6, 1e6)
        .unit("time units");
    info.parameter("reset", &StableFluid::reset, "starts again");
    info.parameter("gravity", &StableFluid::gravity, "acceleration of all fluid")
        .range(-1e6, 1e6)
        .unit("cells / time unit^2");
    info.group("boundary", &StableFluid::boundary);
    info.group("force", &StableFluid::force);
    info.group("dye", &StableFluid::dye_parameters);
    info.parameter("tolerance", &StableFluid::tolerance,
                   "tolerance of the pressure's residual, relative to the divergence")
        .range(1e-9, 1.0, RangeEnds::open_high);
    info.parameter("max_cycles", &StableFluid::max_cycles, "largest number of cycles of the solver")
        .range(1, 1000)
        .structural();
    info.output("field", &StableFluid::field, "velocity at the centers of cells; density 0");
    info.output("dye", &StableFluid::dye, "the dye after the step");
    info.output("faces", &StableFluid::faces,
                "f32 a cell for each axis, x first: velocity through its lower face")
        .elements<float>();
    info.output("pressure", &StableFluid::pressure,
                "f32 a cell: dt times the pressure, with a layer of cells beyond each open side")
        .elements<float>();
    info.output("solver_status", &StableFluid::solver_status, "status of the solver")
        .elements(poisson_status_elements());
}

void StableFluid::build(Graph& graph) {
    if (obstacles) dims = obstacles.dims;
    if (!has_valid_parameters(graph, *this)) return;
    const FluidHistory kept = keep_faces(graph, faces_desc(dims), dims, initial, reset);
    const KeptDye colors = keep_dye(graph, FluidField{.dims = dims}, dye_parameters.scale);
    const BufferDesc centers = cells_desc(dims);
    field = {.solid = obstacles, .dims = dims, .boundary = boundary, .elapsed = dt};
    field.status = no_fluid_events(graph);

    Buffer forces;
    if (force.any()) {
        // Confinement looks at the middles of cells, which this execution has yet to find.
        ComputeNodeBuilder node = graph.compute("fluid/center", "middles");
        node.read("velocities", kept.before);
        bind_obstacles(node, obstacles);
        set_grid(node, *this);
        node.dispatch_over({dims.x, dims.y, dims.z});
        FluidField middles = field;
        middles.cells = node.write("after", graph.buffer("middles", centers));
        FluidForces pass{.field = middles, .dye = colors.before, .parameters = force};
        if (kept.from_rest) pass.parameters = {};
        forces = graph.add(pass).forces;
    }

    ComputeNodeBuilder advect =
        graph.compute(dims.z == 1 ? "fluid/stable_advect" : "fluid/stable_advect_3d", "advect");
    advect.read("before", kept.before);
    advect.read_optional("forces", forces);
    advect.set("dt", dt);
    advect.set("gravity", gravity);
    advect.set("from_rest", std::uint32_t(kept.from_rest));
    set_emitters(advect, emitters, dims);
    field.status = advect.accumulate("status", field.status);
    const Buffer moved = advect.write("after", graph.buffer("moved", faces_desc(dims)));
    bind_obstacles(advect, obstacles);
    set_grid(advect, *this);
    advect.set("depth", static_cast<std::int32_t>(kAdvectedDepth));
    advect.dispatch_over({dims.x, dims.y, div_round_up(dims.z, kAdvectedDepth)});

    const PressureProblem problem = pressure_problem(graph, moved, obstacles, boundary, dims);
    const PressureSolution solution = solve_pressure(graph, problem, tolerance, max_cycles);
    pressure = solution.pressure;
    solver_status = solution.status;
    graph.status<FluidStatus>(field.status);

    ComputeNodeBuilder project = graph.compute("fluid/stable_project", "project");
    project.read("moved", moved);
    project.read("pressure", pressure);
    faces = project.write("faces_after", kept.after);
    field.cells = project.write("centers", graph.buffer("centers", centers));
    bind_obstacles(project, obstacles);
    set_projection(project, problem, obstacles, dims);
    project.dispatch_over({dims.x, dims.y, dims.z});

    dye = carry_dye(graph, colors, field, emitters, dye_parameters, reset);
}

TUFF_PASS(StableFluid)

} // namespace tuff::passes
