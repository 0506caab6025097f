#include "passes/bvh/lbvh_build.hpp"

#include "passes/primitives/elements.hpp"

#include <algorithm>

namespace tuff::passes {
namespace {

constexpr std::uint64_t kNodeWords = 16;

} // namespace

BinaryArrays binary_arrays(Graph& graph, std::uint32_t triangles) {
    const std::uint32_t most = std::max(triangles, 1u);
    ComputeNodeBuilder reset = graph.compute("bvh/reset");
    reset.set("count", most);
    const Buffer nodes = graph.buffer("nodes", {.size = most * kNodeWords * 4, .stride = 16});
    BinaryArrays arrays{.nodes = reset.write("nodes", nodes),
                        .arrivals = reset.write("arrivals", array(graph, "arrivals", most))};
    reset.dispatch_each(most);
    return arrays;
}

void LbvhBuild::describe(PassInfo<LbvhBuild>& info) {
    info.summary("Builds a hierarchy of boxes over a mesh by sorting triangles along a curve")
        .details("The triangles are sorted by Morton code, and the hierarchy is the tree of the "
                 "codes' common prefixes: the binary radix tree. Equal codes split by triangle "
                 "number. Nodes and boxes are built in one pass from the leaves up; no invocation "
                 "waits for another, so it ends on every device. A leaf is one triangle; a node "
                 "has the boxes of both its children, in 64 bytes. The result is the same in every "
                 "run.\n\nTriangles that rays cannot hit are left out and counted in "
                 "\"bvh.status\": triangles without area in floating point, with a coordinate that "
                 "is not finite, or with an index out of range. Without triangles there is no "
                 "root; with one triangle the root is a leaf.\n\nCodes of 60 bits take twice as "
                 "long to sort; they help if some triangles are much smaller than others.")
        .source("T. Karras, \"Maximizing Parallelism in the Construction of BVHs, Octrees, and k-d "
                "Trees\", HPG 2012; C. Apetrei, \"Fast and Simple Agglomerative LBVH "
                "Construction\", CGVC 2014")
        .complexity("O(n)")
        .cost([](const LbvhBuild& pass, const Graph&) {
            // For each triangle: the mesh three times (12 bytes of indices and, with two triangles
            // a vertex, 6 of positions), codes written, the histogram of the sort and two moves of
            // key and number for each digit of 8 bits, codes and order read, leaf and node
            // written, the arrivals reset. 282 bytes with 30 bits: 10 million triangles at
            // 4.0 TB/s take at least 0.7 ms.
            const double words = pass.bits == CodeBits::bits30 ? 1.0 : 2.0;
            const double digits = 4.0 * words;
            const double bytes = 3.0 * 18.0 + 4.0 * words + 4.0 * words +
                                 digits * 2.0 * (4.0 * words + 4.0) + 4.0 * words + 4.0 + 48.0 +
                                 64.0 + 4.0;
            return Cost{.bytes = bytes * pass.mesh.triangle_count,
                        .operations = 400.0 * pass.mesh.triangle_count};
        });
    info.input("mesh", &LbvhBuild::mesh, "at most 2^26 - 1 triangles");
    info.parameter("bits", &LbvhBuild::bits, "bits of a code").structural();
    info.parameter("interleave", &LbvhBuild::interleave,
                   "the coordinate that each bit of a code halves")
        .structural();
    info.output("bvh", &LbvhBuild::bvh, "the hierarchy, of binary nodes");
}

void LbvhBuild::build(Graph& graph) {
    bvh = without_hierarchy(mesh);
    if (!is_valid(graph, mesh)) return;
    const SortedCodes sorted = sorted_codes(graph, mesh, bits, interleave);
    const BinaryArrays arrays = binary_arrays(graph, mesh.triangle_count);
    const std::uint32_t most = std::max(mesh.triangle_count, 1u);

    ComputeNodeBuilder nodes = graph.compute("bvh/lbvh_nodes");
    specialize_memory_order(graph, nodes);
    bind_mesh(nodes, mesh);
    nodes.read("codes", sorted.codes);
    nodes.read("order", sorted.order);
    nodes.specialize("wide", bits == CodeBits::bits60 ? 1u : 0u);
    static_cast<void>(nodes.write("arrivals", arrays.arrivals));
    bvh.nodes = nodes.write("nodes", arrays.nodes);
    bvh.leaves = nodes.write("leaves",
                             graph.buffer("leaves", {.size = most * kLeafWords * 4, .stride = 16}));
    bvh.status = nodes.write("bvh_status", sorted.status);
    bvh.layout = BvhLayout::binary;
    nodes.dispatch_each(mesh.triangle_count);
    graph.status<BvhStatus>(bvh.status);
}

TUFF_PASS(LbvhBuild)

} // namespace tuff::passes
