#include "passes/fluid/simple.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/fluid/fluid_history.hpp"
#include "passes/fluid/parts.hpp"

#include <algorithm>
#include <optional>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxSteps = 1024;
constexpr std::uint32_t kMaxFused = 2;
constexpr std::uint32_t kMaxFluidHalo = 4096;

std::uint32_t steps_at_once(const Graph& graph, const SimpleFluid& pass) {
    if (!fuses(pass.solver, pass.boundary, pass.dims)) return 1;
    if (pass.fused != 0) return pass.fused;
    return graph.target().type == DeviceType::cpu ? 1 : kMaxFused;
}

/// How ranks step their parts: so many kernels, and then the halo travels.
struct Rounds {
    std::uint32_t kernels = 1;
    std::int32_t reach = 0; ///< cells around its own that a kernel looks at
    std::int32_t halo = 0;

    /// The cells around the part that kernel `i` of `count` steps, as far as the round's other
    /// kernels look.
    std::int32_t margin(std::uint32_t i, std::uint32_t count) const {
        const std::uint32_t last = std::min(i / kernels * kernels + kernels, count) - 1;
        return static_cast<std::int32_t>(last - i) * reach;
    }
    /// The cells of the halo that a round needs.
    std::optional<std::int32_t> between() const {
        return static_cast<std::int32_t>(kernels) * reach;
    }
};

/// The least cells that a rank has along an axis that is divided.
std::uint32_t least_side(const Ranks& ranks, glm::uvec3 dims) {
    std::uint32_t least = kMaxFluidSide;
    for (int axis = 0; axis < 3; ++axis) {
        const std::uint32_t count = ranks.grid[static_cast<std::size_t>(axis)];
        if (count > 1) least = std::min(least, dims[axis] / count);
    }
    return least;
}

/// The same on all ranks. Wide halos save messages and cost steps of their cells: a few in a
/// hundred unless told otherwise.
Rounds rounds_of(const Graph& graph, const SimpleFluid& pass, std::uint32_t at_once) {
    Rounds rounds;
    if (graph.ranks().size() == 1) return rounds;
    const auto step = static_cast<std::uint32_t>(reach_of(pass.solver.method));
    const std::uint32_t reach = step * at_once;
    const std::uint32_t share = pass.dims.z == 1 ? 32 : 64;
    const std::uint32_t cheap = least_side(graph.ranks(), pass.dims) / (share * reach);
    const std::uint32_t wanted = pass.apart > 0 ? div_round_up(pass.apart, at_once) : cheap;
    rounds.kernels = std::clamp(wanted, 1u, std::max(div_round_up(pass.steps, at_once), 1u));
    rounds.reach = static_cast<std::int32_t>(reach);
    // Forces are looked at in all cells that are stepped, and come from those two around.
    rounds.halo = static_cast<std::int32_t>(std::max(pass.halo, rounds.kernels * reach - step + 2));
    return rounds;
}

/// As wide as advection needs it, after all steps.
std::int32_t dye_halo(const SimpleFluid& pass, FluidField field) {
    if (!pass.dyed || pass.steps == 0) return 0;
    for (std::uint32_t step = 0; step < pass.steps; ++step)
        field.elapsed += pass.solver.dt;
    return carried_halo(pass.dye_parameters.method, greatest_way(field));
}

} // namespace

void SimpleFluid::describe(PassInfo<SimpleFluid>& info) {
    info.summary("Simulates a fluid with one kernel a step, from execution to execution")
        .details(
            "An execution takes \"steps\" steps of fluid/step, then advects the dye for their "
            "total time, as fluid/advect does. State and dye persist in histories. The first "
            "execution, and any with \"reset\", starts with \"initial\" or at rest, and "
            "without dye. With 0 steps nothing changes. Confinement and buoyancy "
            "(fluid/forces) are computed once an execution.\n\n"
            "A step reads and writes each cell once, 32 bytes, or 16 with half precision. The "
            "last step writes the history, so nothing is copied. Two steps at once (\"fused\") "
            "read and write each cell once for both.\n\n"
            "In a graph of several ranks \"dims\" are those of the whole field: each rank has a "
            "part of it, with a halo, and \"initial\" has the cells of the part. \"apart\" steps "
            "are taken between two messages, with cells of the halo stepped, too. The halo is as "
            "wide as that needs, and as the dye may travel in an execution, if that is more: a "
            "cell for each step, dt / min_dt cells with \"adaptive\", twice for \"maccormack\", "
            "but no more than the field has outside the part. State and dye have the bits of one "
            "rank; fluid/gather puts them together.\n\n"
            "With \"adaptive\" the number of steps stays the same, and the execution simulates "
            "less time if they are short; \"status\" reports how much.")
        .source("Guay, Colin and Egli, \"Simple and Fast Fluids\", GPU Pro 2, 2011")
        .complexity("O(cells * steps)")
        .cost([](const SimpleFluid& pass, const Graph&) {
            const double cells = static_cast<double>(pass.field.count());
            const double bytes = pass.precision == FluidPrecision::half ? 16.0 : 32.0;
            return Cost{.bytes = bytes * pass.steps * cells,
                        .operations = 80.0 * pass.steps * cells};
        });
    info.optional_input("obstacles", &SimpleFluid::obstacles, "solid cells");
    info.input_list("emitters", &SimpleFluid::emitters, "the sources of fluid and dye, at most 8");
    info.optional_input("initial", &SimpleFluid::initial,
                        "one vec4 a cell: velocity, and density - 1; without it all is at rest")
        .elements<glm::vec4>();
    info.parameter("dims", &SimpleFluid::dims,
                   "cells along each axis, unless \"obstacles\" defines them; z is 1 in 2D")
        .range(1, kMaxFluidSide)
        .unit("cells")
        .structural();
    info.parameter("steps", &SimpleFluid::steps, "steps of an execution")
        .range(0, kMaxSteps)
        .structural();
    info.parameter(
            "fused", &SimpleFluid::fused,
            "steps of a kernel, 1 or 2, with the same result to the bit; 0: the faster, which "
            "is 2 on GPUs. Deep fields, open sides, adaptive steps and \"raster\" always use 1")
        .range(0, kMaxFused)
        .structural();
    info.parameter("apart", &SimpleFluid::apart,
                   "several ranks: steps between two messages with cells of the halo; 0: as many "
                   "as cost little")
        .range(0, kMaxSteps)
        .structural();
    info.parameter("halo", &SimpleFluid::halo,
                   "several ranks: least width of the halo, for passes that follow")
        .range(0, kMaxFluidHalo)
        .unit("cells")
        .structural();
    info.parameter("precision", &SimpleFluid::precision,
                   "precision of the state: \"full\", or \"half\" with 16 bits: half the "
                   "memory, velocities and the density's difference to 1 with 3 digits")
        .structural();
    info.parameter("dyed", &SimpleFluid::dyed,
                   "whether there is a dye; without it \"dye\" is not made, and there is no heat")
        .structural();
    info.parameter("reset", &SimpleFluid::reset, "starts again");
    info.group("solver", &SimpleFluid::solver);
    info.group("boundary", &SimpleFluid::boundary);
    info.group("force", &SimpleFluid::force);
    info.group("dye", &SimpleFluid::dye_parameters);
    info.output("field", &SimpleFluid::field, "velocity and density after the last step");
    info.output("dye", &SimpleFluid::dye, "the dye after the last step, if there is one");
}

void SimpleFluid::build(Graph& graph) {
    if (obstacles) dims = obstacles.dims;
    if (!is_valid_grid(graph, dims) || !is_valid(graph, boundary, dims) ||
        !is_valid(graph, emitters) || !can_step(graph, solver, dims, precision) ||
        !is_stable(graph, solver, boundary, obstacles.motion, emitters, dims))
        return;
    const float elapsed = solver.dt * static_cast<float>(steps);
    if (dyed && !is_valid(graph, dye_parameters, dims, elapsed)) return;

    const std::uint32_t at_once = steps_at_once(graph, *this);
    const Rounds rounds = rounds_of(graph, *this, at_once);
    field = {.solid = obstacles,
             .dims = dims,
             .boundary = boundary,
             .precision = precision,
             .sound = solver.sound(),
             .fastest = greatest_speed(solver, obstacles)};
    if (graph.ranks().size() > 1) {
        field.part = part_with_halo(
            graph, dims,
            glm::max(glm::ivec3(rounds.halo),
                     glm::min(glm::ivec3(dye_halo(*this, field)), cells_of_others(graph, dims))));
        if (!field.part) return;
    }
    FluidHistory kept = keep_fluid(graph, field, initial, reset);
    KeptDye colors;
    if (dyed) colors = keep_dye(graph, field, dye_parameters.scale);
    field.cells = kept.before;
    field.status = no_fluid_events(graph);
    Buffer forces;
    if (force.any() && steps > 0) {
        FluidForces pass{.field = field, .dye = colors.before, .parameters = force};
        if (kept.from_rest) pass.parameters = {}; // and the same nodes as without a reset
        forces = graph.add(pass).forces;
    }
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
                           .steps = std::min(at_once, steps - i * at_once),
                           .margin = rounds.margin(i, kernels),
                           .filled = i + 1 == kernels ? std::nullopt : rounds.between()})
            .after;
    });
    if (steps == 0) {
        field.cells = pass_on(graph, kept.before, kept.after, kept.from_rest);
        if (!dyed) return;
        dye = colors.before;
        dye.cells = pass_on(graph, colors.before.cells, colors.after, reset);
        return;
    }
    if (dyed) dye = carry_dye(graph, colors, field, emitters, dye_parameters, reset);
    graph.status<FluidStatus>(field.status);
}

TUFF_PASS(SimpleFluid)

} // namespace tuff::passes
