#include "passes/fluid/advect.hpp"

#include "passes/common/picture.hpp"
#include "passes/fluid/clock.hpp"
#include "passes/fluid/parts.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

/// What both kernels of a step take, for the dye of the rank's part and `margin` cells of the flow
/// around it.
void set_up(ComputeNodeBuilder& node, const FluidAdvect& pass, std::int32_t margin) {
    const FluidField& field = pass.field;
    bind_flow(node, field);
    bind_obstacles(node, field.solid);
    const CellRange cells = cells_around(field, margin);
    set_grid(node, field, cells);
    node.dispatch_over(extent_of(field, cells, pass.dye.scale));
    node.set("scale", static_cast<std::int32_t>(pass.dye.scale));
    node.set("dye_dims", glm::ivec3(dye_dims(field.dims, pass.dye.scale)));
    set_time(node, field);
    node.set("from_nothing", std::uint32_t(pass.from_nothing));
    set_emitters(node, pass.emitters, field.dims, pass.dye.scale);
    node.set("decay", pass.dye.decay);
    node.set("consumption", pass.dye.consumption);
    const float scale = static_cast<float>(pass.dye.scale);
    node.set("diffusion", pass.dye.diffusion * scale * scale);
}

} // namespace

glm::uvec3 dye_dims(glm::uvec3 dims, std::uint32_t scale) {
    return {dims.x * scale, dims.y * scale, dims.z == 1 ? 1 : dims.z * scale};
}

std::int32_t carried_halo(AdvectionMethod method, std::int32_t way) {
    // Interpolation looks a cell farther; to correct it is done there and back again.
    return (method == AdvectionMethod::maccormack ? 2 : 1) * (way + 1);
}

bool is_valid(Graph& graph, const FluidDye& dye, const FluidField& field, std::string_view port) {
    if (!in_range(graph, "scale", dye.scale, 1, kMaxDyeScale)) return false;
    const glm::uvec3 dims = dye_dims(field.dims, dye.scale);
    if (dye.part != field.part) {
        graph.error("fluid/size-mismatch",
                    fmt::format("ranks have \"{}\" in other parts than the flow", port),
                    "gather both, by fluid/gather, or none");
        return false;
    }
    if (dye.dims != dims) {
        graph.error("fluid/size-mismatch",
                    fmt::format("\"{}\" is {} x {} x {} cells, but the flow needs {} x {} x {}",
                                port, dye.dims.x, dye.dims.y, dye.dims.z, dims.x, dims.y, dims.z));
        return false;
    }
    if (graph.desc(dye.cells).size >= cells_desc(dye_dims(field.held(), dye.scale)).size)
        return true;
    graph.error("primitives/too-short",
                fmt::format("\"{}\" has fewer than one vec4 for each of its cells", port));
    return false;
}

bool is_valid(Graph& graph, const DyeParameters& dye, glm::uvec3 dims, float elapsed) {
    if (!is_valid_grid(graph, dye_dims(dims, dye.scale))) return false;
    const double most = 1.0 / (dims.z == 1 ? 4.0 : 6.0);
    const double scale = dye.scale;
    const double diffused = static_cast<double>(dye.diffusion * elapsed) * scale * scale;
    if (diffused <= most) return true;
    graph.error("fluid/unstable-diffusion",
                fmt::format("diffusion {} for {} time units on cells of 1/{} is {:.4g}, above "
                            "{:.4g}",
                            dye.diffusion, elapsed, dye.scale, diffused, most),
                fmt::format("decrease \"dye.diffusion\" to {:.4g}, or \"dt\", or \"dye.scale\"",
                            static_cast<double>(dye.diffusion) * most / diffused));
    return false;
}

void FluidAdvect::describe(PassInfo<FluidAdvect>& info) {
    info.summary("Advects a dye, smoke or fire with a flow")
        .details(
            "Each cell traces back to where the flow came from, in steps of up to one cell of "
            "the flow, at most eight: a midpoint method with linear interpolation between "
            "cells. \"maccormack\" also traces forward again, and subtracts half of the error, "
            "clamped to the minimum and maximum of the four (eight) interpolated values, so no "
            "new extrema appear.\n\n"
            "Then the dye diffuses, decays by e^(-decay t), loses \"consumption\" t down to 0, "
            "and gets the emitters' dye. Cells of solids have no dye and are left out of the "
            "interpolation. Fluid that enters through sides of \"inflow\" and \"open\" has no "
            "dye.\n\n"
            "Where ranks have the flow in parts, the halo must be as wide as the flow may cross in "
            "its time, twice for \"maccormack\" (fluid/narrow-halo); then the bits are those of "
            "one rank.")
        .source("Guay, Colin and Egli, \"Simple and Fast Fluids\", GPU Pro 2, 2011; Selle, Fedkiw, "
                "Kim, Liu and Rossignac, \"An Unconditionally Stable MacCormack Method\", Journal "
                "of Scientific Computing 35, 2008")
        .complexity("O(cells of the dye)")
        .cost([](const FluidAdvect& pass, const Graph&) {
            const double cells =
                static_cast<double>(pass.after.dims.x) * pass.after.dims.y * pass.after.dims.z;
            const bool corrected = pass.dye.method == AdvectionMethod::maccormack;
            return Cost{.bytes =
                            (corrected ? 80.0 : 32.0) * cells +
                            (corrected ? 32.0 : 16.0) * static_cast<double>(pass.field.count()),
                        .operations = (corrected ? 400.0 : 200.0) * cells};
        });
    info.input("field", &FluidAdvect::field, "the flow");
    info.input("before", &FluidAdvect::before, "the dye before the step");
    info.input_list("emitters", &FluidAdvect::emitters, "the sources of dye, at most 8");
    info.group("dye", &FluidAdvect::dye);
    info.output("after", &FluidAdvect::after, "the dye after the step");
}

void FluidAdvect::build(Graph& graph) {
    if (!is_valid_in_parts(graph, field, "field") || !is_valid(graph, before, field, "before") ||
        !is_valid(graph, dye, field.dims, field.elapsed) || !is_valid(graph, emitters))
        return;
    if (before.scale != dye.scale) {
        graph.error("fluid/size-mismatch",
                    fmt::format("\"before\" has scale {}, but \"dye.scale\" is {}", before.scale,
                                dye.scale));
        return;
    }
    const std::int32_t way = greatest_way(field);
    if (!has_halo(graph, field, carried_halo(dye.method, way), "advection")) return;
    after = before;
    const BufferDesc cells = cells_desc(dye_dims(field.held(), dye.scale));
    const Buffer result = target ? target : graph.buffer("dye", cells);
    const bool corrected = dye.method == AdvectionMethod::maccormack;
    ComputeNodeBuilder forth = graph.compute("fluid/advect", "forth");
    set_up(forth, *this, corrected ? way + 1 : 0);
    forth.set("finish", std::uint32_t(!corrected));
    forth.read("before", before.cells);
    after.cells = forth.write("after", corrected ? graph.buffer("forth", cells) : result);
    if (corrected) {
        ComputeNodeBuilder back = graph.compute("fluid/advect_correct", "back");
        set_up(back, *this, 0);
        back.read("before", before.cells);
        back.read("forth", after.cells);
        after.cells = back.write("after", result);
    }
    if (after.part) after.cells = fill_halo(graph, field, after);
}

TUFF_PASS(FluidAdvect)

} // namespace tuff::passes
