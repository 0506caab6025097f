#include "passes/sparse/field.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/common/picture.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

bool holds_cells(Graph& graph, std::string_view port, Buffer buffer, std::uint32_t words,
                 std::uint64_t cells) {
    if (graph.desc(buffer).size >= 4 * words * cells) return true;
    graph.error("primitives/too-short",
                fmt::format("\"{}\" does not have {} cells of {} words", port, cells, words));
    return false;
}

/// The array that `cells` cells need; nothing, and an error, where that is too large.
Buffer cell_array(Graph& graph, std::string_view name, std::uint32_t words, std::uint64_t cells) {
    const std::uint64_t bytes = 4 * words * cells;
    if (bytes <= graph.target().max_storage_buffer_bytes)
        return graph.buffer(name, {.size = bytes, .stride = 4 * words});
    graph.error(
        "sparse/too-large",
        fmt::format("{} cells of {} words do not fit into a buffer of the device", cells, words));
    return {};
}

std::uint64_t domain_cells(const SparseShape& shape) {
    return std::uint64_t{shape.dims.x} * shape.dims.y * shape.dims.z;
}

template <typename Pass>
void describe_cell(PassInfo<Pass>& info) {
    info.parameter("cell", &Pass::cell, "data of a cell").structural();
}

template <typename Pass>
Cost copy_cost(const Pass& pass, const Graph&) {
    const double cells = static_cast<double>(pass.bricks.shape.count());
    return {.bytes = 8.0 * words_of(pass.cell) * cells, .operations = 20.0 * cells};
}

} // namespace

std::uint32_t words_of(SparseCell cell) {
    switch (cell) {
    case SparseCell::vec2: return 2;
    case SparseCell::vec4: return 4;
    default: return 1;
    }
}

BufferElements elements_of(SparseCell cell) {
    const auto type = cell == SparseCell::u32 ? ElementType::u32 : ElementType::f32;
    return BufferElements(type, words_of(cell));
}

bool holds_slots(Graph& graph, std::string_view port, Buffer field, SparseCell cell,
                 const SparseShape& shape) {
    return holds_cells(graph, port, field, words_of(cell), shape.count());
}

void SparseGather::describe(PassInfo<SparseGather>& info) {
    info.summary("Copies a field of a sparse store to an array of the whole domain")
        .details("Cells of inactive bricks are 0.")
        .complexity("O(cells of the domain)")
        .cost(copy_cost<SparseGather>);
    info.input("bricks", &SparseGather::bricks, "the bricks of the store");
    info.input("field", &SparseGather::field, "one \"cell\" for each cell of a slot")
        .elements_from("\"cell\"", [](const SparseGather& pass) { return elements_of(pass.cell); });
    describe_cell(info);
    info.output("result", &SparseGather::result,
                "one \"cell\" for each cell of the domain, x fastest")
        .elements_from("\"cell\"", [](const SparseGather& pass) { return elements_of(pass.cell); });
}

void SparseGather::build(Graph& graph) {
    const std::uint32_t words = words_of(cell);
    const SparseShape& shape = bricks.shape;
    if (!holds_slots(graph, "field", field, cell, shape)) return;
    const Buffer target = cell_array(graph, "gathered", words, domain_cells(shape));
    if (!target) return;
    ComputeNodeBuilder node = graph.compute("sparse/gather");
    bind_map(node, bricks);
    node.specialize("kWords", words);
    node.read("field", field);
    result = node.write("result", target);
    dispatch_each(node, domain_cells(shape), 256);
}

void SparseScatter::describe(PassInfo<SparseScatter>& info) {
    info.summary("Copies an array of the whole domain to a field of a sparse store")
        .details("Cells of inactive bricks are ignored; claim their bricks before.")
        .complexity("O(cells of active bricks)")
        .cost(copy_cost<SparseScatter>);
    info.input("bricks", &SparseScatter::bricks, "the bricks of the store");
    info.input("source", &SparseScatter::source,
               "one \"cell\" for each cell of the domain, x fastest")
        .elements_from("\"cell\"",
                       [](const SparseScatter& pass) { return elements_of(pass.cell); });
    describe_cell(info);
    info.output("field", &SparseScatter::field, "one \"cell\" for each cell of a slot")
        .elements_from("\"cell\"",
                       [](const SparseScatter& pass) { return elements_of(pass.cell); });
}

void SparseScatter::build(Graph& graph) {
    const std::uint32_t words = words_of(cell);
    const SparseShape& shape = bricks.shape;
    if (!holds_cells(graph, "source", source, words, domain_cells(shape))) return;
    const Buffer target = cell_array(graph, "scattered", words, shape.count());
    if (!target) return;
    ComputeNodeBuilder node = graph.compute("sparse/scatter");
    bind_walk(node, bricks);
    node.specialize("kWords", words);
    node.read("source", source);
    field = node.write("field", target);
}

void SparseHalo::describe(PassInfo<SparseHalo>& info) {
    info.summary("Copies a field of a sparse store so that each brick has a halo of its "
                 "neighbours' cells")
        .details("A brick of 8 x 8 x 8 cells becomes one of 10 x 10 x 10. Cells of inactive "
                 "bricks and cells outside the domain are 0. Kernels that interpolate then "
                 "need to read only one brick.")
        .source("A. Dunn, \"Interactive Sparse Eulerian Fluid\", GPU Pro 7, 2016")
        .complexity("O(cells of active bricks)")
        .cost(copy_cost<SparseHalo>);
    info.input("bricks", &SparseHalo::bricks, "the bricks of the store");
    info.input("field", &SparseHalo::field, "one \"cell\" for each cell of a slot")
        .elements_from("\"cell\"", [](const SparseHalo& pass) { return elements_of(pass.cell); });
    describe_cell(info);
    info.parameter("width", &SparseHalo::width, "width of the halo on each side")
        .range(1, 16)
        .structural();
    info.output("result", &SparseHalo::result,
                "one \"cell\" for each cell of a slot with its "
                "halo")
        .elements_from("\"cell\"", [](const SparseHalo& pass) { return elements_of(pass.cell); });
}

void SparseHalo::build(Graph& graph) {
    const std::uint32_t words = words_of(cell);
    const SparseShape& shape = bricks.shape;
    if (!holds_slots(graph, "field", field, cell, shape)) return;
    for (int axis = 0; axis < 3; ++axis)
        if (!in_range(graph, "width", width, 1, shape.brick[axis])) return;
    const glm::uvec3 padded = shape.brick + 2 * width;
    const std::uint64_t cells = std::uint64_t{padded.x} * padded.y * padded.z;
    const Buffer target = cell_array(graph, "padded", words, cells * shape.capacity);
    if (!target) return;
    ComputeNodeBuilder node = graph.compute("sparse/halo");
    set_shape(node, bricks.shape);
    node.read("brick_list", bricks.list);
    bind_neighbors(node, bricks);
    node.dispatch_indirect(bricks.groups, kBrickGroupsOffset);
    node.specialize("kWords", words);
    node.specialize("kWidth", static_cast<std::int32_t>(width));
    node.read("field", field);
    result = node.write("result", target);
}

TUFF_PASS(SparseGather)
TUFF_PASS(SparseScatter)
TUFF_PASS(SparseHalo)

} // namespace tuff::passes
