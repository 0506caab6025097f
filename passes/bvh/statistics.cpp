#include "passes/bvh/statistics.hpp"

#include "passes/bvh/morton.hpp"
#include "passes/primitives/elements.hpp"
#include "passes/primitives/reduce.hpp"

#include <algorithm>

namespace tuff::passes {

void MeasureBvh::describe(PassInfo<MeasureBvh>& info) {
    info.summary("Tells how good a hierarchy is")
        .details("Eight words: the expected cost of a ray by the surface area heuristic (a test "
                 "of a box or a triangle costs 1, and a ray that meets the box of all meets each "
                 "other one with the share that its area has); triangles; interior nodes; leaves; "
                 "triangles of the largest leaf; nodes on the longest path; triangles of a leaf on "
                 "average; and the share of the memory for nodes that is used. The first, the "
                 "seventh and the eighth are floats. Works on binary and heap nodes.")
        .source("J. D. MacDonald and K. S. Booth, \"Heuristics for Ray Tracing Using Space "
                "Subdivision\", 1990")
        .complexity("O(n log n): every leaf counts the nodes above it")
        .cost([](const MeasureBvh& pass, const Graph&) {
            return Cost{.bytes = (64.0 + 16.0 + 8.0) * pass.bvh.mesh.triangle_count,
                        .operations = 100.0 * pass.bvh.mesh.triangle_count};
        });
    info.input("bvh", &MeasureBvh::bvh, "the hierarchy, of binary or heap nodes");
    info.output("result", &MeasureBvh::result, "eight words");
}

void MeasureBvh::build(Graph& graph) {
    result = bvh.mesh.indices; // what stands where something is refused
    if (!is_valid(graph, bvh, Traversal::automatic)) return;
    const bool heap = bvh.layout == BvhLayout::heap;
    if ((!heap && bvh.layout != BvhLayout::binary) || bvh.instances) {
        graph.error("bvh/wrong-layout", "only binary and heap nodes are measured",
                    "measure what was widened");
        return;
    }
    const std::uint32_t count =
        heap ? std::uint32_t{1} << bvh.levels : std::max(bvh.mesh.triangle_count, 1u);
    ComputeNodeBuilder costs = graph.compute("bvh/node_costs");
    costs.read("nodes", bvh.nodes);
    costs.read("leaves", bvh.leaves);
    costs.read("bvh_status", bvh.status);
    costs.set("count", count);
    costs.specialize("heap", heap ? 1u : 0u);
    const Buffer each = costs.write("costs", array(graph, "costs", count));
    const Buffer tally = costs.write("tally", graph.fill(array(graph, "tally", 4), 0, "no_nodes"));
    dispatch_triangles(costs, count);

    const Buffer sum = graph.add(Reduce{.source = each, .type = Element::f32}, "sum").result;
    ComputeNodeBuilder node = graph.compute("bvh/statistics", "result");
    node.read("cost", sum);
    node.read("tally", tally);
    node.read("bvh_status", bvh.status);
    // Of binary nodes, one less than leaves at most.
    node.set("slots", heap ? count : 2 * count - 1);
    result = node.write("result", array(graph, "result", 8));
    node.dispatch(1);
}

} // namespace tuff::passes
