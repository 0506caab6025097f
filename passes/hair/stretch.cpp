#include "passes/hair/stretch.hpp"

#include "passes/common/picture.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kStretchGroups = 64; // of each hair

/// Of a row of the table.
BufferElements row_elements(const std::vector<std::string>& names) {
    if (names.empty()) return BufferElements::of<float>();
    std::vector<ElementMember> columns;
    for (const std::string& name : names)
        for (const std::string_view number : {"greatest", "mean"})
            columns.push_back({.name = fmt::format("{}_{}", name, number),
                               .offset = static_cast<std::uint32_t>(4 * columns.size())});
    const auto bytes = static_cast<std::uint32_t>(4 * columns.size());
    return {"StretchRow", std::move(columns), bytes};
}

} // namespace

void HairStretch::describe(PassInfo<HairStretch>& info) {
    info.summary("Measures how far the edges of hair are from their rest length")
        .details("For each hair the pass computes the greatest and the mean of |length / rest "
                 "length - 1| over all edges, except the edge between the two vertices at the "
                 "root. Each execution adds a row at the bottom. With \"names\" a row is a "
                 "record, and a .csv of the table has a line for each row and names its columns. "
                 "Errors: hair/not-alike.")
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
    info.parameter("names", &HairStretch::names,
                   "names of the hairs, in the same order: columns NAME_greatest and NAME_mean of "
                   "the table; empty: it has plain numbers")
        .structural();
    info.output("table", &HairStretch::table,
                "two numbers a hair, greatest and mean, row by row; rows before the first "
                "execution are 0")
        .elements_from("\"names\"",
                       [](const HairStretch& pass) { return row_elements(pass.names); });
}

void HairStretch::build(Graph& graph) {
    if (grooms.size() != states.size()) {
        graph.error("hair/not-alike",
                    fmt::format("there are {} grooms and {} states", grooms.size(), states.size()),
                    "connect one state for each groom");
        return;
    }
    if (!names.empty() && names.size() != grooms.size()) {
        graph.error("hair/not-alike",
                    fmt::format("there are {} grooms and {} names", grooms.size(), names.size()),
                    "give one name for each groom, or none");
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
