#include "passes/hair/stretch.hpp"

#include "passes/common/picture.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kStretchGroups = 64; // of each hair

} // namespace

void HairStretch::describe(PassInfo<HairStretch>& info) {
    info.summary("Measures how far the edges of hair are from their rest length")
        .details("For each hair the pass computes the greatest and the mean of |length / rest "
                 "length - 1| over all edges, except the edge between the two vertices at the "
                 "root. Each execution adds a row at the bottom. Errors: hair/not-alike.")
        .complexity("O(vertices)")
        .cost([](const HairStretch& pass, const Graph&) {
            double vertices = 0.0;
            for (const HairGroom& groom : pass.grooms)
                vertices += static_cast<double>(groom.vertex_count());
            return Cost{.bytes = 32.0 * vertices, .operations = 20.0 * vertices};
        });
    info.input_list("grooms", &HairStretch::grooms, "the hairs at rest").wires(1, 16);
    info.input_list("states", &HairStretch::states, "the hairs, in the same order").wires(1, 16);
    info.parameter("rows", &HairStretch::rows, "rows of the table: the last executions")
        .range(1, 65536)
        .structural();
    info.output("table", &HairStretch::table,
                "two numbers a hair, greatest and mean, row by row; rows before the first "
                "execution are 0")
        .elements<float>();
}

void HairStretch::build(Graph& graph) {
    if (grooms.size() != states.size()) {
        graph.error("hair/not-alike",
                    fmt::format("there are {} grooms and {} states", grooms.size(), states.size()),
                    "connect one state for each groom");
        return;
    }
    const auto hairs = static_cast<std::uint32_t>(grooms.size());
    Buffer partial = vectors(graph, "partial", std::uint64_t{kStretchGroups} * hairs);
    for (std::uint32_t i = 0; i < hairs; ++i) {
        if (!is_valid(graph, grooms[i]) || !is_valid(graph, states[i], grooms[i])) return;
        ComputeNodeBuilder node = graph.compute("hair/stretch", fmt::format("hair_{}", i));
        node.set("count", static_cast<std::uint32_t>(grooms[i].vertex_count()));
        node.set("vertices", grooms[i].vertices);
        node.set("place", i * kStretchGroups);
        node.read("rest", grooms[i].rest);
        node.read("positions", states[i].positions);
        partial = node.write("partial", partial);
        node.dispatch(kStretchGroups);
    }
    const BufferDesc desc{.size = std::uint64_t{8} * hairs * rows, .stride = 4};
    ComputeNodeBuilder node = graph.compute("hair/stretch_rows");
    node.set("hairs", hairs);
    node.set("groups", kStretchGroups);
    node.set("rows", rows);
    node.read("partial", partial);
    if (rows > 1) {
        const BufferHistory history = graph.history_buffer("table", desc);
        node.read("before", history.previous[0]);
        table = node.write("rows", graph.buffer("rows", desc));
        node.dispatch(1);
        (void)graph.copy(table, history.current, "keep_table");
        return;
    }
    node.read("before", partial); // of which nothing is read
    table = node.write("rows", graph.buffer("rows", desc));
    node.dispatch(1);
}

TUFF_PASS(HairStretch)

} // namespace tuff::passes
