#include "passes/fluid/advect.hpp"

#include "passes/common/picture.hpp"
#include "passes/fluid/clock.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

/// What both kernels of a step take.
void set_up(ComputeNodeBuilder& node, const FluidAdvect& pass) {
    const FluidField& field = pass.field;
    bind_flow(node, field);
    bind_obstacles(node, field.solid);
    node.set("dims", glm::ivec3(field.dims));
    node.set("faces", field.boundary.bits());
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

bool is_valid(Graph& graph, const FluidDye& dye, const FluidField& field, std::string_view port) {
    if (!in_range(graph, "scale", dye.scale, 1, kMaxDyeScale)) return false;
    const glm::uvec3 dims = dye_dims(field.dims, dye.scale);
    if (dye.dims != dims) {
        graph.error("fluid/size-mismatch",
                    fmt::format("\"{}\" is {} x {} x {} cells, and the flow asks for {} x {} x {}",
                                port, dye.dims.x, dye.dims.y, dye.dims.z, dims.x, dims.y, dims.z));
        return false;
    }
    if (graph.desc(dye.cells).size >= cells_desc(dims).size) return true;
    graph.error("primitives/too-short",
                fmt::format("\"{}\" does not hold a vec4 for each of its cells", port));
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
                fmt::format("lower \"dye.diffusion\" to {:.4g}, \"dt\", or \"dye.scale\"",
                            static_cast<double>(dye.diffusion) * most / diffused));
    return false;
}

void FluidAdvect::describe(PassInfo<FluidAdvect>& info) {
    info.summary("Carries a dye, smoke or fire with a flow")
        .details(
            "Each cell looks up where the flow came from, in legs of up to a cell of the flow but "
            "no more than eight: half of one back with the velocity here, the whole with the "
            "velocity there, linear between cells. "
            "\"maccormack\" goes the same way forth and back, and takes half of what that changed "
            "off, within the least and the greatest of the four (eight) values looked up, so that "
            "nothing is made that was not there. Then the dye diffuses, fades by e^(-decay t), "
            "loses \"consumption\" t down to 0, and takes on the emitters' dye. Cells of solids "
            "hold none, and are left out where values are looked up; what comes in through sides "
            "of \"inflow\" and \"open\" is clear.")
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
    info.input("before", &FluidAdvect::before, "the dye before");
    info.input_list("emitters", &FluidAdvect::emitters, "where dye comes from, at most 8");
    info.group("dye", &FluidAdvect::dye);
    info.output("after", &FluidAdvect::after, "the dye after");
}

void FluidAdvect::build(Graph& graph) {
    if (!is_valid(graph, field, "field") || !is_valid(graph, before, field, "before") ||
        !is_valid(graph, dye, field.dims, field.elapsed) || !is_valid(graph, emitters))
        return;
    if (before.scale != dye.scale) {
        graph.error("fluid/size-mismatch", fmt::format("the dye before has scale {}, and {} is "
                                                       "asked for",
                                                       before.scale, dye.scale));
        return;
    }
    after = before;
    const Buffer result = target ? target : graph.buffer("dye", cells_desc(before.dims));
    const bool corrected = dye.method == AdvectionMethod::maccormack;
    ComputeNodeBuilder forth = graph.compute("fluid/advect", "forth");
    set_up(forth, *this);
    forth.set("finish", std::uint32_t(!corrected));
    forth.read("before", before.cells);
    after.cells =
        forth.write("after", corrected ? graph.buffer("forth", cells_desc(before.dims)) : result);
    forth.dispatch_over({before.dims.x, before.dims.y, before.dims.z});
    if (!corrected) return;

    ComputeNodeBuilder back = graph.compute("fluid/advect_correct", "back");
    set_up(back, *this);
    back.read("before", before.cells);
    back.read("forth", after.cells);
    after.cells = back.write("after", result);
    back.dispatch_over({before.dims.x, before.dims.y, before.dims.z});
}

TUFF_PASS(FluidAdvect)

} // namespace tuff::passes
