#include "passes/bvh/refit.hpp"

#include "passes/bvh/implicit_build.hpp"
#include "passes/bvh/lbvh_build.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::passes {
namespace {

constexpr std::uint64_t kSpoiltOffset = offsetof(BvhStatus, spoilt);

} // namespace

void Refit::describe(PassInfo<Refit>& info) {
    info.summary("Updates the boxes of a hierarchy after its triangles have moved")
        .details("The tree stays as it is; the boxes are recomputed from the leaves up. This takes "
                 "a fraction of a build and is correct however far triangles move. But the more "
                 "they move against each other, the longer rays take: build again when the cost of "
                 "bvh/statistics has grown by a fifth.\n\nThe mesh must have the same triangles in "
                 "the same order as the mesh of the build. Triangles left out by the build stay "
                 "out. Triangles that rays can no longer hit keep their leaf, are not hit, and are "
                 "counted as \"spoilt\" in \"bvh.status\"; they return with a later refit. The "
                 "pass works on binary and heap nodes.")
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
    info.input("mesh", &Refit::mesh, "the moved triangles");
    info.output("bvh", &Refit::bvh, "the hierarchy over the moved triangles");
}

void Refit::build(Graph& graph) {
    bvh = without_hierarchy(mesh);
    if (!is_valid(graph, mesh) || !is_valid(graph, source, Traversal::automatic)) return;
    const bool heap = source.layout == BvhLayout::heap;
    if ((!heap && source.layout != BvhLayout::binary) || source.instances) {
        graph.error("bvh/wrong-layout", "only binary and heap nodes can be refitted",
                    "refit first, then collapse");
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
