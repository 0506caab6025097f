#include "passes/bvh/restructure_treelets.hpp"

#include "passes/primitives/elements.hpp"

#include <algorithm>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kLeastLeaves = 5; // below a node: fewer can hardly be joined otherwise
constexpr int kMaxRounds = 8;

constexpr std::string_view kSource =
    "L. R. Domingues and H. Pedrini, \"Bounding Volume Hierarchy Optimization through "
    "Agglomerative Treelet Restructuring\", HPG 2015; T. Karras and T. Aila, \"Fast Parallel "
    "Construction of High-Quality Bounding Volume Hierarchies\", HPG 2013";

/// Arrivals reset, nodes above leaves counted, and a treelet of seven nodes for about every fifth
/// leaf read and written.
Cost cost_of_rounds(int rounds, std::uint32_t triangles) {
    return {.bytes = rounds * (8.0 + 16.0 + 2.0 * 7.0 * 64.0 / 5.0) * triangles,
            .operations = rounds * 2000.0 / 5.0 * triangles};
}

} // namespace

void RestructureTreelets::describe(PassInfo<RestructureTreelets>& info) {
    info.summary("Makes a hierarchy cheaper for rays by treelet restructuring")
        .details("For every node with five or more leaves, from the leaves up, the descendants of "
                 "largest surface are opened until there are eight subtrees (a treelet). These are "
                 "joined again, always the two whose common box has the least surface; a treelet "
                 "that is not cheaper stays as it was. A round is one dispatch in which no group "
                 "waits. (Clustering (PLOC) would be a loop whose length depends on the data.) "
                 "Paths never grow beyond 96 nodes. Leaves and hits do not change. The pass works "
                 "in place on binary nodes; the result is the same in every run.")
        .source(kSource)
        .complexity("O(n) a round")
        .cost([](const RestructureTreelets& pass, const Graph&) {
            return cost_of_rounds(pass.rounds, pass.source.mesh.triangle_count);
        });
    info.input("source", &RestructureTreelets::source, "the hierarchy, of binary nodes");
    info.parameter("rounds", &RestructureTreelets::rounds,
                   "rounds of restructuring; each gains less than the one before")
        .range(0, kMaxRounds)
        .structural();
    info.output("bvh", &RestructureTreelets::bvh, "the hierarchy");
}

void RestructureTreelets::build(Graph& graph) {
    bvh = source;
    if (!is_valid(graph, source, Traversal::automatic)) return;
    if (source.layout != BvhLayout::binary || source.instances) {
        graph.error("bvh/wrong-layout", "only hierarchies of binary nodes can be restructured");
        return;
    }
    const std::uint32_t most = std::max(source.mesh.triangle_count, 1u);
    graph.repeat("round", static_cast<std::uint32_t>(std::clamp(rounds, 0, kMaxRounds)), 0,
                 [&](int, std::uint32_t) {
                     const Buffer nobody =
                         graph.fill(array(graph, "arrivals", most), ~0u, "nobody");
                     ComputeNodeBuilder node = graph.compute("bvh/restructure_treelets");
                     specialize_memory_order(graph, node);
                     node.read("bvh_status", bvh.status);
                     node.set("least", kLeastLeaves);
                     static_cast<void>(node.write("arrivals", nobody));
                     bvh.nodes = node.write("nodes", bvh.nodes);
                     bvh.leaves = node.write("leaves", bvh.leaves);
                     node.dispatch_each(most);
                     return 0;
                 });
}

void QualityBuild::describe(PassInfo<QualityBuild>& info) {
    info.summary("Builds a hierarchy that is faster to trace than that of bvh/lbvh_build")
        .details("Runs bvh/lbvh_build, and bvh/restructure_treelets on its result. bvh/statistics "
                 "measures the "
                 "gain.")
        .source(kSource)
        .complexity("O(n)")
        .cost([](const QualityBuild& pass, const Graph& graph) {
            Cost cost = cost_of(
                LbvhBuild{
                    .mesh = pass.mesh, .bits = pass.bits, .interleave = pass.interleave, .bvh = {}},
                graph);
            const Cost rounds = cost_of_rounds(pass.rounds, pass.mesh.triangle_count);
            cost.bytes += rounds.bytes;
            cost.operations += rounds.operations;
            return cost;
        });
    info.input("mesh", &QualityBuild::mesh, "at most 2^26 - 1 triangles");
    info.parameter("bits", &QualityBuild::bits, "bits of a code").structural();
    info.parameter("interleave", &QualityBuild::interleave,
                   "the coordinate that each bit of a code halves")
        .structural();
    info.parameter("rounds", &QualityBuild::rounds, "rounds of restructuring")
        .range(0, kMaxRounds)
        .structural();
    info.output("bvh", &QualityBuild::bvh, "the hierarchy, of binary nodes");
}

void QualityBuild::build(Graph& graph) {
    const LbvhBuild built =
        graph.add(LbvhBuild{.mesh = mesh, .bits = bits, .interleave = interleave, .bvh = {}});
    bvh = built.bvh;
    if (bvh.layout != BvhLayout::none)
        bvh = graph.add(RestructureTreelets{.source = bvh, .rounds = rounds, .bvh = {}}).bvh;
}

TUFF_PASS(RestructureTreelets)
TUFF_PASS(QualityBuild)

} // namespace tuff::passes
