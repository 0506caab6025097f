#include "passes/common/div_round_up.hpp"
#include "passes/primitives/elements.hpp"
#include "passes/terrain/quadtree.hpp"

namespace tuff::passes {
namespace {

/// The leaves after a step, or before one.
struct TreeList {
    Buffer keys;
    Buffer kept;   ///< status, for the next step
    Buffer status; ///< the same, of this frame alone
};

TreeList tree_step(Graph& graph, const TreeNodes& nodes, const TreeList& before, TreeList after,
                   bool printed_rule) {
    const std::uint32_t groups = div_round_up(nodes.capacity, kGroup);
    ComputeNodeBuilder count = nodes.begin_whole(graph, "terrain/update_count");
    count.specialize("printed_rule", std::uint32_t{printed_rule});
    count.read("before", before.keys);
    count.read("before_status", before.kept);
    const Buffer fates = count.write("fates", array(graph, "fates", nodes.capacity));
    const Buffer sums = count.write("sums", array(graph, "sums", std::uint64_t{groups} * 2));
    count.dispatch_each(nodes.capacity);

    ComputeNodeBuilder write = graph.compute("terrain/update_write", nodes.variant());
    write.set("faces", nodes.faces);
    write.set("capacity", nodes.capacity);
    write.set("reset", nodes.reset);
    write.read("before", before.keys);
    write.read("before_status", before.kept);
    write.read("fates", fates);
    write.read("sums", sums);
    after.keys = write.write("keys", after.keys);
    after.kept = write.write("kept", after.kept);
    after.status = write.write("status", array(graph, "status", TreeStatus::kWords));
    write.dispatch_each(nodes.capacity);
    return after;
}

Buffer coarser_neighbours(Graph& graph, const TreeNodes& nodes, const TreeList& leaves) {
    ComputeNodeBuilder node = graph.compute("terrain/edges", nodes.variant());
    node.specialize("surface_kind", static_cast<std::uint32_t>(nodes.surface.kind));
    node.set("capacity", nodes.capacity);
    node.read("keys", leaves.keys);
    node.read("status", leaves.status);
    const Buffer edges = node.write("edges", array(graph, "edges", nodes.capacity));
    node.dispatch_each(nodes.capacity);
    return edges;
}

} // namespace

QuadTree incremental_tree(Graph& graph, const TreeNodes& nodes, std::uint32_t iterations,
                          bool printed_rule) {
    const std::uint64_t words =
        std::uint64_t{nodes.capacity} * (nodes.type == TreeKeys::wide ? 2 : 1);
    const BufferHistory keys =
        graph.history_buffer("leaves", {.size = words * kWordBytes, .stride = kWordBytes});
    const BufferHistory status =
        graph.history_buffer("leaf_count", {.size = sizeof(TreeStatus), .stride = kWordBytes});
    TreeList leaves{.keys = keys.previous.front(), .kept = status.previous.front()};
    for (std::uint32_t i = 0; i < iterations; ++i) {
        const bool last = i + 1 == iterations;
        leaves = tree_step(graph, nodes, leaves,
                           last ? TreeList{.keys = keys.current, .kept = status.current}
                                : TreeList{.keys = nodes.keys(graph, "step", nodes.capacity),
                                           .kept = array(graph, "step_status", TreeStatus::kWords)},
                           printed_rule);
    }
    graph.status<TreeStatus>(leaves.status);
    return {.keys = leaves.keys,
            .edges = coarser_neighbours(graph, nodes, leaves),
            .status = leaves.status,
            .type = nodes.type,
            .capacity = nodes.capacity,
            .max_level = nodes.max_level,
            .faces = nodes.faces,
            .sorted = true};
}

} // namespace tuff::passes
