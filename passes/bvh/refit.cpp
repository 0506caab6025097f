#include "passes/bvh/refit.hpp"

#include "passes/bvh/heap_build.hpp"
#include "passes/bvh/lbvh_build.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::passes {
namespace {

constexpr std::uint64_t kSpoiltOffset = offsetof(BvhStatus, spoilt);

} // namespace

void Refit::describe(PassInfo<Refit>& info) {
    info.summary("Brings a hierarchy up to date with triangles that have moved")
        .details("The tree stays as it is, boxes are made anew from the leaves up. That takes a "
                 "fraction of a build, and is right however far triangles move; but the more they "
                 "move against each other, the longer rays take (see the cost that bvh/statistics "
                 "tells; build again where it has grown by a fifth).\n"
                 "The mesh has the triangles of the one that the hierarchy was built over, in the "
                 "same order. Triangles left out by the build stay out. Those that rays cannot "
                 "hit any more keep their leaf, are not hit, and are counted as \"spoilt\" in "
                 "\"bvh.status\"; they come back with a later refit. Works on binary and heap "
                 "nodes.")
        .source("A. Garcia, S. Murguia, U. Olivares and F. F. Ramos, \"Fast Parallel Construction "
                "of Stack-Less Complete LBVH Trees with Efficient Bit-Trail Traversal for Ray "
                "Tracing\", VRCAI 2014; T. Karras, \"Maximizing Parallelism in the Construction of "
                "BVHs, Octrees, and k-d Trees\", HPG 2012")
        .complexity("O(n), and O(2^levels) for heaps")
        .cost([](const Refit& pass, const Graph&) {
            // Leaf, mesh and leaf; old node and node; arrivals.
            return Cost{.bytes = (16.0 + 16.0 + 18.0 + 48.0 + 64.0 + 64.0 + 8.0) *
                                 pass.mesh.triangle_count,
                        .operations = 100.0 * pass.mesh.triangle_count};
        });
    info.input("source", &Refit::source, "the hierarchy, of binary or heap nodes");
    info.input("mesh", &Refit::mesh, "its triangles where they are now");
    info.output("bvh", &Refit::bvh, "the hierarchy over them");
}

void Refit::build(Graph& graph) {
    bvh = without_hierarchy(mesh);
    if (!is_valid(graph, mesh) || !is_valid(graph, source, Traversal::automatic)) return;
    const bool heap = source.layout == BvhLayout::heap;
    if ((!heap && source.layout != BvhLayout::binary) || source.instances) {
        graph.error("bvh/wrong-layout", "only binary and heap nodes can be refitted",
                    "refit first, widen then");
        return;
    }
    if (mesh.triangle_count != source.mesh.triangle_count) {
        graph.error("bvh/mesh-mismatch",
                    fmt::format("{} triangles, but the hierarchy was built over {}",
                                mesh.triangle_count, source.mesh.triangle_count));
        return;
    }
    const Buffer status =
        graph.copy(source.status, graph.buffer("status", graph.desc(source.status)), "old_status");
    ComputeNodeBuilder node = graph.compute(heap ? "bvh/refit_leaves" : "bvh/refit");
    bind_mesh(node, mesh);
    node.read("old_leaves", source.leaves);
    bvh.status = node.write("bvh_status",
                            graph.fill(BufferView(status, kSpoiltOffset, 4), 0, "none_spoilt"));
    bvh.leaves = node.write("leaves", graph.buffer("leaves", graph.desc(source.leaves)));
    node.dispatch_each(mesh.triangle_count);
    bvh.layout = source.layout;
    bvh.levels = source.levels;
    if (heap) {
        bvh.nodes =
            graph.copy(source.nodes, graph.buffer("nodes", graph.desc(source.nodes)), "old_nodes");
        add_heap_boxes(graph, bvh, HeapCounts::no);
        graph.status<BvhStatus>(bvh.status);
        return;
    }
    specialize_memory_order(graph, node);
    node.read("old_nodes", source.nodes);
    const BinaryArrays arrays = binary_arrays(graph, mesh.triangle_count);
    static_cast<void>(node.write("arrivals", arrays.arrivals));
    bvh.nodes = node.write("nodes", arrays.nodes);
    graph.status<BvhStatus>(bvh.status);
}

TUFF_PASS(Refit)

} // namespace tuff::passes
