#include "passes/fluid/stable.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/fluid/fluid_history.hpp"
#include "passes/fluid/parts.hpp"
#include "passes/fluid/pressure.hpp"
#include "passes/solver/poisson_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxReach = 512;
/// Of fluid without a bound.
constexpr float kFar = 1e30f;

/// Around the part, where velocities are moved by this rank as well: for its divergence and faces.
constexpr std::int32_t kMoved = 1;
/// Cells around those moved that forces come from: the curl's, the velocities of that, and the
/// other face of these.
constexpr std::int32_t kForced = 3;

std::int32_t needed_halo(const StableFluid& pass, const FluidField& field) {
    const std::int32_t way = greatest_way(field);
    return std::max(
        {kMoved + way, kMoved + kForced, carried_halo(pass.dye_parameters.method, way)});
}

/// What a step reports. Only fluid that is carried too far counts as too fast.
struct StableEvents : FluidStatus {
    static StableEvents read(std::span<const std::uint32_t> words) {
        return {FluidStatus::read(words)};
    }
    Diagnostics warnings() const {
        FluidStatus others = *this;
        others.clamped_speeds = 0;
        Diagnostics all = others.warnings();
        if (clamped_speeds > 0)
            all.push_back(held_to_reach(clamped_speeds, "increase \"reach\", or decrease \"dt\""));
        return all;
    }
};

/// The part of a rank of several; reports what is wrong with it and returns false.
bool divide(Graph& graph, const StableFluid& pass, FluidField& field) {
    if (graph.ranks().size() == 1) return true;
    if (pass.reach == 0) {
        graph.error("fluid/ranks",
                    "where ranks have a fluid in parts, there must be a bound to what it crosses "
                    "in a step",
                    "set \"reach\" to the cells that it may cross along an axis, for example 4");
        return false;
    }
    field.part = part_with_halo(graph, pass.dims, glm::ivec3(needed_halo(pass, field)));
    return bool(field.part);
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
            "finite are set to 0 and counted.\n\n"
            "With \"reach\" fluid is carried at most so many cells in a step along an axis, "
            "however "
            "fast it is: \"field\" has no greater velocities, and \"faces\" keep theirs. Cells "
            "that "
            "would have been carried farther are counted.\n\n"
            "In a graph of several ranks \"dims\" are those of the whole field: each rank has a "
            "part "
            "of it, with a halo as wide as \"reach\" and the dye need, and \"initial\" has the "
            "cells "
            "of the part. \"reach\" must be set then. The pressure is solved as by mpi/poisson. "
            "With a "
            "\"tolerance\" of 0 the pressure takes \"max_cycles\" cycles on one rank as on many, "
            "nothing is summed over ranks, and state and dye have the same bits for any number of "
            "them. "
            "With obstacles or open sides the dot products of its cycles may round otherwise. With "
            "a "
            "tolerance all ranks end at the same cycle; one rank alone has the cycles of "
            "solver/poisson, so that it differs within the tolerance. fluid/gather puts the parts "
            "together.")
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
                   "tolerance of the pressure's residual, relative to the divergence; 0: "
                   "\"max_cycles\" cycles run, and there is no \"solver_status\"")
        .range(0.0, 1.0, RangeEnds::open_high)
        .structural();
    info.parameter("max_cycles", &StableFluid::max_cycles, "largest number of cycles of the solver")
        .range(1, 1000)
        .structural();
    info.parameter("reach", &StableFluid::reach,
                   "largest distance that fluid is carried in a step along an axis; 0: no bound, "
                   "on one rank")
        .range(0, kMaxReach)
        .unit("cells")
        .structural();
    info.output("field", &StableFluid::field, "velocity at the centers of cells; density 0");
    info.output("dye", &StableFluid::dye, "the dye after the step");
    info.output("faces", &StableFluid::faces,
                "f32 a cell for each axis, x first: velocity through its lower face; in parts with "
                "the halo of \"field\"")
        .elements<float>();
    info.output(
            "pressure", &StableFluid::pressure,
            "f32 a cell: dt times the pressure, with a layer of cells beyond each open side; in "
            "parts with a halo of four cells along the axes that are divided")
        .elements<float>();
    info.output("solver_status", &StableFluid::solver_status,
                "status of the solver, if it has a tolerance")
        .elements(poisson_status_elements());
}

void StableFluid::build(Graph& graph) {
    if (obstacles) dims = obstacles.dims;
    if (!has_valid_parameters(graph, *this)) return;
    field = {.solid = obstacles,
             .dims = dims,
             .boundary = boundary,
             .elapsed = dt,
             .fastest = static_cast<float>(reach) / dt};
    if (!divide(graph, *this, field)) return;
    const FluidHistory kept = keep_faces(graph, field, initial, reset);
    const KeptDye colors = keep_dye(graph, field, dye_parameters.scale);
    const BufferDesc centers = cells_desc(field.held());
    field.status = no_fluid_events(graph);

    Buffer forces;
    if (force.any()) {
        // Confinement looks at the middles of cells, which this execution has yet to find.
        ComputeNodeBuilder node = graph.compute("fluid/center", "middles");
        node.read("velocities", kept.before);
        bind_obstacles(node, obstacles);
        node.set("inflow", boundary.inflow);
        set_motion(node, obstacles);
        const CellRange cells = cells_around(field, halo_of(field));
        set_grid(node, field, cells);
        node.dispatch_over(extent_of(field, cells));
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
    const Buffer moved = advect.write("after", graph.buffer("moved", faces_desc(field)));
    bind_obstacles(advect, obstacles);
    advect.set("inflow", boundary.inflow);
    set_motion(advect, obstacles);
    advect.set("reach", reach > 0 ? static_cast<float>(reach) : kFar);
    advect.set("depth", static_cast<std::int32_t>(kAdvectedDepth));
    const CellRange cells = cells_around(field, kMoved);
    set_grid(advect, field, cells);
    set_own_cells(advect, field);
    Extent extent = extent_of(field, cells);
    extent.depth = div_round_up(extent.depth, kAdvectedDepth);
    advect.dispatch_over(extent);

    const PressureParameters parameters{
        .tolerance = tolerance, .max_cycles = max_cycles, .gather_cells = gather_cells};
    const PressureProblem problem = pressure_problem(graph, moved, field, parameters);
    const PressureSolution solution = solve_pressure(graph, problem, field, parameters);
    pressure = solution.pressure;
    solver_status = solution.status;

    ComputeNodeBuilder project = graph.compute("fluid/stable_project", "project");
    project.read("moved", moved);
    project.read("pressure", pressure);
    field.status = project.accumulate("status", field.status);
    faces = project.write("faces_after", kept.after);
    field.cells = project.write("centers", graph.buffer("centers", centers));
    bind_obstacles(project, obstacles);
    set_projection(project, problem, field);
    project.set("fastest", reach > 0 ? field.fastest : kFar);
    project.dispatch_over(extent_of(field, cells_around(field, 0)));
    if (field.part) {
        faces = fill_face_halo(graph, field, faces);
        field.cells = fill_halo(graph, field, halo_of(field), field.cells, field.cells);
    }
    graph.status<StableEvents>(field.status);

    dye = carry_dye(graph, colors, field, emitters, dye_parameters, reset);
}

TUFF_PASS(StableFluid)

} // namespace tuff::passes
