#include "passes/fluid/fluid_history.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

/// `kernel` brings `initial` in.
FluidHistory keep(Graph& graph, std::string_view kernel, BufferDesc desc, glm::uvec3 dims,
                  Buffer initial, bool reset) {
    const BufferHistory state = graph.history_buffer("state", desc);
    FluidHistory kept{.before = state.previous[0], .after = state.current, .from_rest = reset};
    if (!initial) return kept;
    kept.from_rest = false;
    const std::uint64_t cells = std::uint64_t{dims.x} * dims.y * dims.z;
    if (graph.desc(initial).size < 16 * cells) {
        graph.error("primitives/too-short",
                    fmt::format("\"initial\" does not hold a vec4 for each of {} cells", cells));
        return kept;
    }
    const BufferHistory age = graph.history_buffer("age", {.size = 4, .stride = 4});
    ComputeNodeBuilder node = graph.compute(kernel, "begin");
    node.read("before", kept.before);
    node.read("initial", initial);
    node.read("age", age.previous[0]);
    node.set("cells", static_cast<std::uint32_t>(cells));
    if (desc.stride == 4) node.set("axes", static_cast<std::uint32_t>(desc.size / 4 / cells));
    node.set("reset", std::uint32_t(reset));
    kept.before = node.write("begun", graph.buffer("begun", desc));
    (void)node.write("now", age.current);
    node.dispatch_each(static_cast<std::uint32_t>(cells));
    return kept;
}

} // namespace

FluidHistory keep_fluid(Graph& graph, glm::uvec3 dims, FluidPrecision precision, Buffer initial,
                        bool reset) {
    return keep(graph,
                ShaderVariant{{"HALF", precision == FluidPrecision::half}}.name_of("fluid/begin"),
                cells_desc(dims, precision), dims, initial, reset);
}

FluidHistory keep_faces(Graph& graph, BufferDesc faces, glm::uvec3 dims, Buffer initial,
                        bool reset) {
    return keep(graph, "fluid/begin_faces", faces, dims, initial, reset);
}

KeptDye keep_dye(Graph& graph, glm::uvec3 dims, std::uint32_t scale) {
    const glm::uvec3 size = dye_dims(dims, scale);
    const BufferHistory dye = graph.history_buffer("dye", cells_desc(size));
    return {.before = {.cells = dye.previous[0], .dims = size, .scale = scale},
            .after = dye.current};
}

FluidDye carry_dye(Graph& graph, const KeptDye& dye, const FluidField& field,
                   const std::vector<EmitterShape>& emitters, const DyeParameters& parameters,
                   bool reset) {
    return graph
        .add(FluidAdvect{.field = field,
                         .before = dye.before,
                         .emitters = emitters,
                         .dye = parameters,
                         .from_nothing = reset,
                         .target = dye.after})
        .after;
}

Buffer pass_on(Graph& graph, Buffer before, Buffer after, bool from_rest) {
    return from_rest ? graph.fill(after, 0, "rest") : graph.copy(before, after, "stay");
}

Buffer no_fluid_events(Graph& graph) {
    return graph.fill(graph.buffer("status", {.size = sizeof(FluidStatus), .stride = 4}), 0,
                      "no_events");
}

} // namespace tuff::passes
