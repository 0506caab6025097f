#include "passes/fluid/simple.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/fluid/fluid_history.hpp"

#include <algorithm>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxSteps = 1024;
constexpr std::uint32_t kMaxFused = 2;

std::uint32_t steps_at_once(const Graph& graph, const SimpleFluid& pass) {
    if (!fuses(pass.solver, pass.boundary, pass.dims)) return 1;
    if (pass.fused != 0) return pass.fused;
    return graph.target().type == DeviceType::cpu ? 1 : kMaxFused;
}

} // namespace

void SimpleFluid::describe(PassInfo<SimpleFluid>& info) {
    info.summary("A fluid in one kernel a step, which flows on from execution to execution")
        .details(
            "An execution takes \"steps\" steps of fluid/step, then moves the dye over their whole "
            "time as fluid/advect does. State and dye are histories; the first execution, and "
            "those with \"reset\", begin with \"initial\" or at rest, and without dye. With no "
            "steps everything stays as it is. Confinement and buoyancy (fluid/forces) are found "
            "once an execution. A step reads and writes each cell once, 32 bytes, or 16 of a state "
            "of half precision, and the last one writes the history: nothing is copied. Two steps "
            "at once (\"fused\") read and write it once for both. With \"adaptive\" an execution "
            "takes as many steps, and the flow goes on for less time where they are short: "
            "\"status\" says for how much.")
        .source("Guay, Colin and Egli, \"Simple and Fast Fluids\", GPU Pro 2, 2011")
        .complexity("O(cells * steps)")
        .cost([](const SimpleFluid& pass, const Graph&) {
            const double cells = static_cast<double>(pass.field.count());
            const double bytes = pass.precision == FluidPrecision::half ? 16.0 : 32.0;
            return Cost{.bytes = bytes * pass.steps * cells,
                        .operations = 80.0 * pass.steps * cells};
        });
    info.optional_input("obstacles", &SimpleFluid::obstacles, "solid cells");
    info.input_list("emitters", &SimpleFluid::emitters, "where fluid and dye come from, at most 8");
    info.optional_input("initial", &SimpleFluid::initial,
                        "a vec4 a cell: velocity, and density - 1; otherwise all is at rest")
        .elements<glm::vec4>();
    info.parameter("dims", &SimpleFluid::dims,
                   "cells along each axis, unless \"obstacles\" says it; z is 1 in 2D")
        .range(1, kMaxFluidSide)
        .unit("cells")
        .structural();
    info.parameter("steps", &SimpleFluid::steps, "of an execution")
        .range(0, kMaxSteps)
        .structural();
    info.parameter(
            "fused", &SimpleFluid::fused,
            "steps that one kernel takes, to the same bits: 1 or 2; 0: as is faster, which is "
            "2 on GPUs. Deep fields, open sides, adaptive steps and \"raster\" have 1")
        .range(0, kMaxFused)
        .structural();
    info.parameter("precision", &SimpleFluid::precision,
                   "of the state: \"full\", or \"half\", numbers of 16 bits: half the memory, "
                   "velocities to 3 digits, and the density's difference to 1")
        .structural();
    info.parameter("reset", &SimpleFluid::reset, "begins anew");
    info.group("solver", &SimpleFluid::solver);
    info.group("boundary", &SimpleFluid::boundary);
    info.group("force", &SimpleFluid::force);
    info.group("dye", &SimpleFluid::dye_parameters);
    info.output("field", &SimpleFluid::field, "velocity and density now");
    info.output("dye", &SimpleFluid::dye, "the dye now");
}

void SimpleFluid::build(Graph& graph) {
    if (obstacles) dims = obstacles.dims;
    if (!is_valid_grid(graph, dims) || !is_valid(graph, boundary, dims) ||
        !is_valid(graph, emitters) || !can_step(graph, solver, dims, precision) ||
        !is_stable(graph, solver, boundary, obstacles.motion, emitters, dims))
        return;
    const float elapsed = solver.dt * static_cast<float>(steps);
    if (!is_valid(graph, dye_parameters, dims, elapsed)) return;

    FluidHistory kept = keep_fluid(graph, dims, precision, initial, reset);
    KeptDye colors = keep_dye(graph, dims, dye_parameters.scale);
    field = {.cells = kept.before,
             .solid = obstacles,
             .dims = dims,
             .boundary = boundary,
             .precision = precision,
             .sound = solver.sound()};
    field.status = no_fluid_events(graph);
    Buffer forces;
    if (force.any() && steps > 0) {
        FluidForces pass{.field = field, .dye = colors.before, .parameters = force};
        if (kept.from_rest) pass.parameters = {}; // and the same nodes as without a reset
        forces = graph.add(pass).forces;
    }
    const std::uint32_t at_once = steps_at_once(graph, *this);
    const std::uint32_t kernels = div_round_up(steps, at_once);
    field = graph.repeat("step", kernels, field, [&](const FluidField& before, std::uint32_t i) {
        return graph
            .add(FluidStep{.before = before,
                           .emitters = emitters,
                           .forces = forces,
                           .solver = solver,
                           .boundary = boundary,
                           .from_rest = i == 0 && kept.from_rest,
                           .target = i + 1 == kernels ? kept.after : Buffer{},
                           .steps = std::min(at_once, steps - i * at_once)})
            .after;
    });
    if (steps == 0) {
        field.cells = pass_on(graph, kept.before, kept.after, kept.from_rest);
        dye = colors.before;
        dye.cells = pass_on(graph, colors.before.cells, colors.after, reset);
        return;
    }
    dye = carry_dye(graph, colors, field, emitters, dye_parameters, reset);
    graph.status<FluidStatus>(field.status);
}

TUFF_PASS(SimpleFluid)

} // namespace tuff::passes
