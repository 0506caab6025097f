#include "passes/fluid/stats.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxKeptFrames = 1u << 16;
/// More groups than the largest devices run at once, and few enough for one group to join.
constexpr std::uint32_t kMaxGroups = 2048;

BufferDesc floats(std::uint64_t count) {
    return {.size = 4 * count, .stride = 4};
}

/// `numbers` of this execution after those of earlier ones: an array for each of them.
Buffer keep_series(Graph& graph, Buffer numbers, std::uint32_t kept) {
    constexpr std::uint32_t kNotANumber = 0x7fc00000;
    const std::uint32_t count = kFluidNumbers * kept;
    const BufferHistory series = graph.history_buffer("series", floats(count), 1, kNotANumber);
    ComputeNodeBuilder node = graph.compute("fluid/stats_series", "series");
    node.read("numbers", numbers);
    node.read("before", series.previous[0]);
    node.set("kept", kept);
    node.set("count", count);
    node.dispatch_each(count);
    return node.write("after", series.current);
}

} // namespace

FluidReport FluidReport::read(std::span<const std::uint32_t> words) {
    return status_from<FluidReport>(words);
}

Diagnostics FluidReport::warnings() const {
    Diagnostics all;
    if (mach > 0.5f)
        all.push_back(warning("fluid/mach",
                              fmt::format("the flow has {:.2g} times the speed of sound, {:.4g} "
                                          "cells a time unit: its density changes much",
                                          mach, speed / mach),
                              "slow it down, raise \"stiffness\" or lower \"dt\", or use "
                              "fluid/stable"));
    if (not_finite > 0.0f)
        all.push_back(
            warning("fluid/diverged",
                    fmt::format("{:.0f} cells are not finite and are left out", not_finite),
                    "check the initial state; lower \"dt\""));
    return all;
}

void FluidStats::describe(PassInfo<FluidStats>& info) {
    info.summary("What a flow is like: its speed, densities, mass, energy, divergence, curl")
        .details(
            "\"numbers\" are ten, all f32: the greatest component of a velocity; the least and "
            "the greatest density, that at rest being 1; the sum of density - 1; the kinetic "
            "energy, the sum of density / 2 times the speed squared; the root mean squares of "
            "divergence and curl; the Mach number, which is the first number by the speed of "
            "sound, or 0 where the fluid has none; how many cells these are of; and how many were "
            "left out because they are not finite. Solid cells do not count. Slopes are half the "
            "difference of both neighbours, those in solids included; beyond a side that is not "
            "periodic the last cell stands, and towards a cell that is not finite there is no "
            "slope. So the velocities of fluid/stable, which has no divergence on its faces, "
            "show some at the middles of cells. The order of summation depends on the dimensions "
            "alone: the result is the same bits each time, and each sum is within about 20 "
            "roundings of the exact one, relative to the sum of magnitudes. \"speeds\" to "
            "\"curls\" have a number for each of the last \"kept\" executions, the last one at the "
            "end, for image/plot; executions that have not been are NaN.")
        .complexity("O(cells)")
        .cost([](const FluidStats& pass, const Graph&) {
            const double cells = static_cast<double>(pass.field.count());
            return Cost{.bytes = 16.0 * cells,
                        .operations = (pass.field.is_flat() ? 70.0 : 80.0) * cells};
        });
    info.input("field", &FluidStats::field, "the flow");
    info.parameter("kept", &FluidStats::kept, "executions of which numbers are kept, with this one")
        .range(1, kMaxKeptFrames)
        .structural();
    info.output("numbers", &FluidStats::numbers, "f32: what the flow is like now")
        .elements<float>();
    info.output("speeds", &FluidStats::speeds, "f32: greatest components of the velocities")
        .elements<float>();
    info.output("masses", &FluidStats::masses, "f32: sums of density - 1").elements<float>();
    info.output("energies", &FluidStats::energies, "f32: kinetic energies").elements<float>();
    info.output("divergences", &FluidStats::divergences, "f32: root mean squares")
        .elements<float>();
    info.output("curls", &FluidStats::curls, "f32: root mean squares").elements<float>();
}

void FluidStats::build(Graph& graph) {
    if (!is_valid(graph, field, "field")) return;
    ComputeNodeBuilder tally = graph.compute("fluid/stats", "tally");
    const std::uint32_t across = div_round_up(field.dims.x, tally.group_size()[0]);
    const std::uint32_t down = div_round_up(field.dims.y, tally.group_size()[1]);
    const std::uint32_t tiles = across * down * field.dims.z;
    const std::uint32_t groups = std::min(tiles, kMaxGroups);
    bind_flow(tally, field);
    bind_obstacles(tally, field.solid);
    tally.set("dims", glm::ivec3(field.dims));
    tally.set("faces", field.boundary.bits());
    tally.set("tiles_across", across);
    tally.set("tiles_down", down);
    tally.set("tiles", tiles);
    constexpr std::uint64_t kTallyBytes = 48;
    const Buffer parts = tally.write(
        "parts", graph.buffer("parts", {.size = kTallyBytes * groups, .stride = kTallyBytes}));
    tally.dispatch(groups);

    ComputeNodeBuilder join = graph.compute("fluid/stats_join", "join");
    join.read("parts", parts);
    join.set("groups", groups);
    join.set("sound", field.sound);
    numbers = join.write("numbers", graph.buffer("numbers", floats(kFluidNumbers)));
    join.dispatch(1);
    graph.status<FluidReport>(numbers);

    const Buffer series = kept > 1 ? keep_series(graph, numbers, kept) : numbers;
    const auto series_of = [&](std::uint64_t offset, std::string_view name) {
        return graph.copy(BufferView(series, offset * kept, sizeof(float) * kept),
                          graph.buffer(name, floats(kept)), name);
    };
    speeds = series_of(offsetof(FluidReport, speed), "speeds");
    masses = series_of(offsetof(FluidReport, mass), "masses");
    energies = series_of(offsetof(FluidReport, energy), "energies");
    divergences = series_of(offsetof(FluidReport, divergence), "divergences");
    curls = series_of(offsetof(FluidReport, curl), "curls");
}

TUFF_PASS(FluidStats)

} // namespace tuff::passes
