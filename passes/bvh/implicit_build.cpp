#include "passes/bvh/implicit_build.hpp"

#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kTopLevels = 9; // made by one group, as in shaders/bvh/heap_split_top.comp
constexpr std::uint32_t kLeastChosenLevels = 8;
constexpr std::uint64_t kNodeBytes = 32;
constexpr std::uint64_t kLeafBytes = 48;

/// Four slots a triangle, as the chapter has them, as far as the device has room.
std::uint32_t chosen_levels(const Graph& graph, std::uint32_t triangles) {
    const auto bits = static_cast<std::uint32_t>(std::bit_width(std::max(triangles, 1u) - 1));
    std::uint32_t levels = std::clamp(bits + 2, kLeastChosenLevels, kMaxHeapLevels);
    while (levels > 1 && (kNodeBytes << levels) > graph.target().max_storage_buffer_bytes)
        --levels;
    return levels;
}

} // namespace

void ImplicitBuild::describe(PassInfo<ImplicitBuild>& info) {
    info.summary("Builds an implicit BVH: the children of node n are 2n and 2n + 1")
        .details(
            "Rays need no stack in this hierarchy, only a bit for each level. The heap takes 32 "
            "bytes for each of 2^levels nodes, used or not.\n\nTriangles are sorted by a code of "
            "30 bits. From the root down, one dispatch for each level, a node splits its range at "
            "the highest bit that differs among its codes; with \"in_turn\" it splits at the bit "
            "of the level, so a child may be empty. A node with one triangle or one code is a "
            "leaf, and so is every node of the last level, whatever its number of triangles. Boxes "
            "are computed from the last level up.\n\nThe chapter makes one leaf of equal codes "
            "(\"leaf\"), which grows long if many small triangles lie in one cell; by default "
            "equal codes split by triangle number. A leaf of more than 64 triangles is counted in "
            "\"bvh.status\" and makes rays slow: give more levels. Triangles that rays cannot hit "
            "are left out and counted there.")
        .source("A. Garcia, S. Murguia, U. Olivares and F. F. Ramos, \"Fast Parallel Construction "
                "of Stack-Less Complete LBVH Trees with Efficient Bit-Trail Traversal for Ray "
                "Tracing\", VRCAI 2014")
        .complexity("O(n + 2^levels)")
        .cost([](const ImplicitBuild& pass, const Graph&) {
            const double nodes = static_cast<double>(std::uint64_t{1} << pass.bvh.levels);
            // The mesh three times, codes, the sort, leaves in and out; nodes written, split and
            // boxed.
            return Cost{.bytes = (54.0 + 8.0 + 68.0 + 100.0) * pass.mesh.triangle_count +
                                 (32.0 + 8.0 + 64.0) * nodes,
                        .operations = 500.0 * pass.mesh.triangle_count};
        });
    info.input("mesh", &ImplicitBuild::mesh, "at most 2^26 - 1 triangles");
    info.parameter("interleave", &ImplicitBuild::interleave,
                   "the coordinate that each bit of a code halves")
        .structural();
    info.parameter("split", &ImplicitBuild::split, "where a node splits its triangles")
        .structural();
    info.parameter("equal_codes", &ImplicitBuild::equal_codes,
                   "how triangles with equal codes are split")
        .structural();
    info.parameter("levels", &ImplicitBuild::levels,
                   "levels of the heap, at least 8; 0: four nodes for each triangle, as far as the "
                   "device has room")
        .range(0, kMaxHeapLevels)
        .structural();
    info.output("bvh", &ImplicitBuild::bvh, "the hierarchy, of heap nodes");
}

void ImplicitBuild::build(Graph& graph) {
    bvh = without_hierarchy(mesh);
    if (!is_valid(graph, mesh)) return;
    const std::uint32_t depth = levels == 0 ? chosen_levels(graph, mesh.triangle_count)
                                            : static_cast<std::uint32_t>(levels);
    const std::uint32_t top = std::min(depth, kTopLevels);
    const SortedCodes sorted = sorted_codes(graph, mesh, CodeBits::bits30, interleave);
    const std::uint64_t most = std::max(mesh.triangle_count, 1u);

    ComputeNodeBuilder leaves = graph.compute("bvh/leaves");
    bind_mesh(leaves, mesh);
    leaves.read("order", sorted.order);
    bvh.leaves =
        leaves.write("leaves", graph.buffer("leaves", {.size = most * kLeafBytes, .stride = 16}));
    bvh.status = leaves.write("bvh_status", sorted.status);
    leaves.dispatch_each(mesh.triangle_count);

    const auto choose = [&](ComputeNodeBuilder& node) {
        node.read("codes", sorted.codes);
        node.read("box", sorted.box);
        node.set("depth", depth);
        node.specialize("equal_codes", equal_codes == EqualCodes::split ? 1u : 0u);
        node.specialize("by_extents", interleave == Interleave::extents ? 1u : 0u);
        node.specialize("in_turn", split == HeapSplit::in_turn ? 1u : 0u);
    };
    ComputeNodeBuilder first = graph.compute("bvh/heap_split_top", "split_top");
    choose(first);
    first.set("levels", top);
    bvh.status = first.write("bvh_status", bvh.status);
    bvh.nodes =
        first.write("nodes", graph.buffer("nodes", {.size = kNodeBytes << depth, .stride = 16}));
    first.dispatch(1);
    for (std::uint32_t level = top - 1; level + 1 < depth; ++level) {
        ComputeNodeBuilder node =
            graph.compute("bvh/heap_split", fmt::format("split[{}]", level + 1));
        choose(node);
        node.set("level", level);
        bvh.nodes = node.write("nodes", bvh.nodes);
        node.dispatch_each(1u << level);
    }
    bvh.layout = BvhLayout::heap;
    bvh.levels = depth;
    add_heap_boxes(graph, bvh, HeapCounts::yes);
    graph.status<BvhStatus>(bvh.status);
}

void add_heap_boxes(Graph& graph, Bvh& bvh, HeapCounts counts) {
    const std::uint32_t top = std::min(bvh.levels, kTopLevels);
    const auto make = [&](ComputeNodeBuilder node, std::uint32_t groups_of) {
        node.specialize("kCounts", std::uint32_t(counts == HeapCounts::yes));
        node.read("leaves", bvh.leaves);
        bvh.nodes = node.write("nodes", bvh.nodes);
        bvh.status = node.write("bvh_status", bvh.status);
        node.dispatch_each(groups_of);
    };
    for (std::uint32_t level = bvh.levels; level-- > top;) {
        ComputeNodeBuilder node = graph.compute("bvh/heap_boxes", fmt::format("boxes[{}]", level));
        node.set("level", level);
        make(node, 1u << level);
    }
    ComputeNodeBuilder node = graph.compute("bvh/heap_boxes_top", "boxes_top");
    node.set("levels", top);
    make(node, 1);
}

TUFF_PASS(ImplicitBuild)

} // namespace tuff::passes
