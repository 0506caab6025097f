#include "passes/fluid/fluid_history.hpp"

#include "passes/fluid/parts.hpp"

#include <fmt/format.h>

#include <functional>

namespace tuff::passes {
namespace {

/// `kernel` brings `initial` in, which has `cells` cells.
FluidHistory keep(Graph& graph, const BufferHistory& state, std::uint64_t cells, Buffer initial,
                  bool reset, std::string_view kernel,
                  const std::function<void(ComputeNodeBuilder&)>& set) {
    const BufferDesc desc = graph.desc(state.current);
    FluidHistory kept{.before = state.previous[0], .after = state.current, .from_rest = reset};
    if (!initial) return kept;
    kept.from_rest = false;
    if (graph.desc(initial).size < 16 * cells) {
        graph.error("primitives/too-short",
                    fmt::format("\"initial\" has fewer than one vec4 for each of {} cells", cells));
        return kept;
    }
    const BufferHistory age = graph.history_buffer("age", {.size = 4, .stride = 4});
    ComputeNodeBuilder node = graph.compute(kernel, "begin");
    node.read("before", kept.before);
    node.read("initial", initial);
    node.read("age", age.previous[0]);
    node.set("reset", std::uint32_t(reset));
    set(node);
    kept.before = node.write("begun", graph.buffer("begun", desc));
    (void)node.write("now", age.current);
    return kept;
}

/// Of the rank, without a halo.
std::uint64_t own_cells(const FluidField& field) {
    const glm::uvec3 cells = field.part ? glm::uvec3(field.part.cells) : field.dims;
    return std::uint64_t{cells.x} * cells.y * cells.z;
}

void set_cells(ComputeNodeBuilder& node, const FluidField& field) {
    const auto cells = static_cast<std::uint32_t>(field.count());
    node.set("cells", cells);
    node.dispatch_each(cells);
    set_part(node, field);
}

} // namespace

FluidHistory keep_fluid(Graph& graph, const FluidField& field, Buffer initial, bool reset) {
    const bool half = field.precision == FluidPrecision::half;
    const BufferHistory state =
        graph.history_buffer("state", cells_desc(field.held(), field.precision));
    set_part(graph, state.current, field);
    FluidHistory kept = keep(graph, state, own_cells(field), initial, reset,
                             ShaderVariant{{"HALF", half}}.name_of("fluid/begin"),
                             [&](ComputeNodeBuilder& node) { set_cells(node, field); });
    if (field.part && initial)
        kept.before = fill_halo(graph, field, halo_of(field), kept.before, kept.before);
    return kept;
}

BufferDesc faces_desc(const FluidField& field) {
    return {.size = 4 * field.count() * (field.is_flat() ? 2 : 3), .stride = 4};
}

FluidHistory keep_faces(Graph& graph, const FluidField& field, Buffer initial, bool reset) {
    const std::uint32_t axes = field.is_flat() ? 2 : 3;
    const auto set = [&](ComputeNodeBuilder& node) {
        set_cells(node, field);
        node.set("axes", axes);
    };
    const BufferHistory state = graph.history_buffer("state", faces_desc(field));
    set_part(graph, state.current, field, 1, axes);
    FluidHistory kept =
        keep(graph, state, own_cells(field), initial, reset, "fluid/begin_faces", set);
    if (field.part && initial) kept.before = fill_face_halo(graph, field, kept.before);
    return kept;
}

KeptDye keep_dye(Graph& graph, const FluidField& field, std::uint32_t scale) {
    const BufferHistory dye =
        graph.history_buffer("dye", cells_desc(dye_dims(field.held(), scale)));
    set_part(graph, dye.current, field, scale);
    return {.before = {.cells = dye.previous[0],
                       .dims = dye_dims(field.dims, scale),
                       .part = field.part,
                       .scale = scale},
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
