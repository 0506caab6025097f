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
                              fmt::format("the flow reaches {:.2g} times the speed of sound, "
                                          "{:.4g} cells per time unit: its density changes much",
                                          mach, speed / mach),
                              "slow the flow down, increase \"stiffness\", decrease \"dt\", or "
                              "use fluid/stable"));
    if (not_finite > 0.0f)
        all.push_back(
            warning("fluid/diverged",
                    fmt::format("{:.0f} cells are infinite or NaN and are left out", not_finite),
                    "check the initial state; decrease \"dt\""));
    return all;
}

void FluidStats::describe(PassInfo<FluidStats>& info) {
    info.summary("Measures a flow: speed, density, mass, energy, divergence, curl")
        .details(
            "\"numbers\" has ten values, all f32: the largest component of a velocity; the "
            "minimum and the maximum density, where 1 is rest; the sum of density - 1; the "
            "kinetic energy, which is the sum of density / 2 times the squared speed; the root "
            "mean squares of divergence and curl; the Mach number, which is the first value "
            "divided by the speed of sound, or 0 if the fluid has none; the number of cells "
            "that count; and the number of cells left out because they are infinite or NaN.\n\n"
            "Solid cells do not count. Derivatives are central differences, which include "
            "neighbours in solids. Beyond a side that is not periodic the last cell is "
            "repeated; towards a cell that is not finite the derivative is 0. So fluid/stable, "
            "which has no divergence on faces, shows some divergence at the centers of "
            "cells.\n\n"
            "The order of summation depends only on the dimensions, so every run gives the "
            "same bits. Each sum is within about 20 roundings of the exact one, relative to "
            "the sum of magnitudes.\n\n"
            "\"speeds\" to \"curls\" have a number for each of the last \"kept\" executions, "
            "the last one at the end, for image/plot. Executions before the first are NaN.")
        .complexity("O(cells)")
        .cost([](const FluidStats& pass, const Graph&) {
            const double cells = static_cast<double>(pass.field.count());
            return Cost{.bytes = 16.0 * cells,
                        .operations = (pass.field.is_flat() ? 70.0 : 80.0) * cells};
        });
    info.input("field", &FluidStats::field, "the flow");
    info.parameter("kept", &FluidStats::kept,
                   "number of executions that the outputs show, "
                   "including this one")
        .range(1, kMaxKeptFrames)
        .structural();
    info.output("numbers", &FluidStats::numbers, "f32: the values of this execution")
        .elements<float>();
    info.output("speeds", &FluidStats::speeds, "f32: largest components of velocities")
        .elements<float>();
    info.output("masses", &FluidStats::masses, "f32: sums of density - 1").elements<float>();
    info.output("energies", &FluidStats::energies, "f32: kinetic energies").elements<float>();
    info.output("divergences", &FluidStats::divergences, "f32: root mean squares of the divergence")
        .elements<float>();
    info.output("curls", &FluidStats::curls, "f32: root mean squares of the curl")
        .elements<float>();
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
