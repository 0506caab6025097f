#include "passes/primitives/elements.hpp"
#include "passes/terrain/quadtree.hpp"

namespace tuff::passes {
namespace {

/// The leaves after a step, or before one.
struct TreeList {
    Buffer keys;
    Buffer status;
};

TreeList tree_step(Graph& graph, const TreeNodes& nodes, const TreeList& before, TreeList after,
                   bool printed_rule) {
    const std::uint32_t groups = divided_up(nodes.capacity, kGroup);
    const Buffer none = graph.fill(array(graph, "faults", 1), 0, "no_faults");
    ComputeNodeBuilder count = nodes.begin(graph, "terrain/update_count");
    count.specialize("printed_rule", std::uint32_t{printed_rule});
    count.read("before", before.keys);
    count.read("before_status", before.status);
    const Buffer fates = count.write("fates", array(graph, "fates", nodes.capacity));
    const Buffer sums = count.write("sums", array(graph, "sums", std::uint64_t{groups} * 2));
    const Buffer faults = count.write("faults", none);
    count.dispatch_each(nodes.capacity);

    ComputeNodeBuilder write = nodes.begin(graph, "terrain/update_write");
    write.read("before", before.keys);
    write.read("before_status", before.status);
    write.read("fates", fates);
    write.read("sums", sums);
    write.read("faults", faults);
    after.keys = write.write("keys", after.keys);
    after.status = write.write("status", after.status);
    write.dispatch_each(nodes.capacity);
    return after;
}

Buffer coarser_neighbours(Graph& graph, const TreeNodes& nodes, const TreeList& leaves) {
    ComputeNodeBuilder node =
        graph.compute("terrain/edges", {{"KEY_WORDS", nodes.type == TreeKeys::wide ? 2 : 1}});
    set_surface(node, nodes.surface);
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
    TreeList leaves{keys.previous.front(), status.previous.front()};
    for (std::uint32_t i = 0; i < iterations; ++i) {
        const bool last = i + 1 == iterations;
        leaves = tree_step(graph, nodes, leaves,
                           last ? TreeList{keys.current, status.current}
                                : TreeList{nodes.keys(graph, "step", nodes.capacity),
                                           array(graph, "step_status", TreeStatus::kWords)},
                           printed_rule);
    }
    // A history's words are told by nobody.
    graph.status<TreeStatus>(
        graph.copy(leaves.status, array(graph, "told_status", TreeStatus::kWords), "tell_status"));
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
