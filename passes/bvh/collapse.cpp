#include "passes/bvh/collapse.hpp"

#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::passes {
namespace {

constexpr std::uint64_t kWideNodeBytes = 96;
constexpr std::uint32_t kMaxGroups = 2048;
constexpr std::uint32_t kMaxLevels = 96; // as in bvh/traverse.glsl
constexpr std::uint32_t kSmall = 64;     // leaves, as in bvh/collapse.glsl

/// Levels that get a dispatch of their own: more than an even tree has. The rest is made by one
/// group.
std::uint32_t dispatched_levels(std::uint32_t triangles) {
    std::uint32_t levels = 1;
    for (std::uint64_t leaves = kSmall; leaves < triangles; leaves *= 4)
        ++levels;
    return levels;
}

} // namespace

void CollapseBvh::describe(PassInfo<CollapseBvh>& info) {
    info.summary("Collapses a binary hierarchy to nodes of eight children (BVH8)")
        .details("Rays load a third of the bytes that they load from binary nodes, and wait for "
                 "memory less often; hits are the same to the bit. Refit and improve the binary "
                 "nodes before.\n\nThe child with the largest surface is opened until there are "
                 "eight children. Their boxes are stored in bytes, on a grid of the node, rounded "
                 "outwards: 96 bytes a node. Children are ordered by octant, so rays meet them "
                 "roughly front to back without sorting. A node keeps the slot of the binary node "
                 "that it replaces, so the result is the same in every run, and the buffer has as "
                 "many slots as there are binary nodes.")
        .source("H. Ylitie, T. Karras and S. Laine, \"Efficient Incoherent Ray Traversal on GPUs "
                "Through Compressed Wide BVHs\", HPG 2017")
        .complexity("O(n)")
        .cost([](const CollapseBvh& pass, const Graph&) {
            // Each binary node read once; about a fifth as many wide ones written.
            return Cost{.bytes = (64.0 + 96.0 / 5.0) * pass.source.mesh.triangle_count,
                        .operations = 500.0 * pass.source.mesh.triangle_count};
        });
    info.input("source", &CollapseBvh::source, "the hierarchy, of binary nodes");
    info.output("bvh", &CollapseBvh::bvh, "the hierarchy, of wide nodes");
}

void CollapseBvh::build(Graph& graph) {
    bvh = source;
    if (!is_valid(graph, source, Traversal::automatic)) return;
    if (source.layout != BvhLayout::binary || source.instances) {
        graph.error("bvh/wrong-layout", "only hierarchies of binary nodes can be collapsed");
        return;
    }
    const std::uint32_t most = std::max(source.mesh.triangle_count, 1u);
    ComputeNodeBuilder root = graph.compute("bvh/collapse_root");
    root.read("bvh_status", source.status);
    Buffer queue = root.write("queue", array(graph, "queue", most));
    Buffer counts = root.write("counts", array(graph, "counts", root.group_size()[0]));
    root.dispatch(1);

    bvh.nodes = graph.buffer("wide", {.size = most * kWideNodeBytes, .stride = 16});
    const auto bind = [&](ComputeNodeBuilder& node, std::uint32_t level) {
        node.read("nodes", source.nodes);
        node.set("level", level);
        queue = node.write("queue", queue);
        counts = node.write("counts", counts);
        bvh.nodes = node.write("wide", bvh.nodes);
    };
    const std::uint32_t levels = dispatched_levels(most);
    for (std::uint32_t level = 0; level < levels; ++level) {
        ComputeNodeBuilder node = graph.compute("bvh/collapse", fmt::format("level[{}]", level));
        bind(node, level);
        const std::uint32_t groups = most / (kSmall * node.group_size()[0]) + 1;
        node.dispatch(level == 0 ? 1 : std::min(groups, kMaxGroups));
    }
    ComputeNodeBuilder rest = graph.compute("bvh/collapse_rest");
    bind(rest, levels);
    rest.set("levels", kMaxLevels);
    rest.dispatch(1);
    bvh.layout = BvhLayout::wide;
}

TUFF_PASS(CollapseBvh)

} // namespace tuff::passes
