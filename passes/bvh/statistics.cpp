#include "passes/bvh/statistics.hpp"

#include "passes/bvh/morton.hpp"
#include "passes/primitives/elements.hpp"
#include "passes/primitives/reduce.hpp"

#include <algorithm>

namespace tuff::passes {

void MeasureBvh::describe(PassInfo<MeasureBvh>& info) {
    info.summary("Measures the quality of a hierarchy")
        .details("The result is eight words: the expected cost of a ray by the surface area "
                 "heuristic (a test of a box or a triangle costs 1, and the probability to hit a "
                 "box is its share of the root's area); triangles; interior nodes; leaves; "
                 "triangles of the largest leaf; nodes on the longest path; average triangles of a "
                 "leaf; and the share of the node memory that is used. The first, the seventh and "
                 "the eighth are floats. Boxes of wide nodes are quantized to the nodes' grids, "
                 "as rays see them; one group visits them all.")
        .source("J. D. MacDonald and K. S. Booth, \"Heuristics for Ray Tracing Using Space "
                "Subdivision\", 1990")
        .complexity("O(n log n): every leaf counts the nodes above it")
        .cost([](const MeasureBvh& pass, const Graph&) {
            return Cost{.bytes = (64.0 + 16.0 + 8.0) * pass.bvh.mesh.triangle_count,
                        .operations = 100.0 * pass.bvh.mesh.triangle_count};
        });
    info.input("bvh", &MeasureBvh::bvh, "the hierarchy, of nodes of any kind");
    info.output("result", &MeasureBvh::result, "the eight words").elements<BvhStatistics>();
}

namespace {

/// What each node costs, and how many there are.
struct NodeCosts {
    Buffer costs;
    Buffer tally;
};

NodeCosts node_costs(Graph& graph, const Bvh& bvh, std::uint32_t slots) {
    const Buffer tally = graph.fill(array(graph, "tally", 4), 0, "no_nodes");
    NodeCosts result;
    if (bvh.layout == BvhLayout::wide) {
        ComputeNodeBuilder node = graph.compute("bvh/wide_costs");
        node.read("nodes", bvh.nodes);
        node.read("bvh_status", bvh.status);
        const Buffer queue = graph.fill(array(graph, "queue", slots), 0, "no_queue");
        static_cast<void>(node.write("queue", queue));
        result.costs = node.write("costs", graph.fill(array(graph, "costs", slots), 0, "no_costs"));
        result.tally = node.write("tally", tally);
        node.dispatch(1);
        return result;
    }
    ComputeNodeBuilder node = graph.compute("bvh/node_costs");
    node.read("nodes", bvh.nodes);
    node.read("leaves", bvh.leaves);
    node.read("bvh_status", bvh.status);
    node.set("count", slots);
    node.specialize("heap", bvh.layout == BvhLayout::heap ? 1u : 0u);
    result.costs = node.write("costs", array(graph, "costs", slots));
    result.tally = node.write("tally", tally);
    node.dispatch_each(slots);
    return result;
}

/// Slots of nodes and leaves that a hierarchy of as many triangles may use.
std::uint32_t most_used(BvhLayout layout, std::uint32_t slots) {
    return layout == BvhLayout::heap ? slots : 2 * slots - 1; // of nodes, one less than of leaves
}

} // namespace

void MeasureBvh::build(Graph& graph) {
    if (!is_valid(graph, bvh, Traversal::automatic)) return;
    if (!bvh.nodes || bvh.instances) {
        graph.error("bvh/wrong-layout",
                    "only hierarchies built by passes over one mesh can be measured");
        return;
    }
    const std::uint32_t slots = bvh.layout == BvhLayout::heap
                                    ? std::uint32_t{1} << bvh.levels
                                    : std::max(bvh.mesh.triangle_count, 1u);
    const NodeCosts measured = node_costs(graph, bvh, slots);
    const Buffer sum =
        graph.add(Reduce{.source = measured.costs, .type = Element::f32}, "sum").result;
    ComputeNodeBuilder node = graph.compute("bvh/statistics", "result");
    node.read("cost", sum);
    node.read("tally", measured.tally);
    node.read("bvh_status", bvh.status);
    node.set("slots", most_used(bvh.layout, slots));
    node.match<BvhStatistics>("result");
    result = node.write("result", array(graph, "result", sizeof(BvhStatistics) / kWordBytes));
    node.dispatch(1);
}

TUFF_PASS(MeasureBvh)

} // namespace tuff::passes
