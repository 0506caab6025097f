#include "passes/collision/box_tree.hpp"

#include "passes/bvh/lbvh_build.hpp"
#include "passes/collision/box.hpp"
#include "passes/primitives/elements.hpp"

#include <algorithm>

namespace tuff::passes {
namespace {

/// Triangles below a node that one invocation takes.
constexpr std::uint32_t kFewTriangles = 64;
/// That take turns at the other nodes.
constexpr std::uint32_t kLargeGroups = 1024;

} // namespace

std::vector<PortMember> BoxTree::members() const {
    std::vector<PortMember> all = bvh.members();
    if (boxes) all.push_back({"boxes", boxes, BufferElements::of<OrientedBox>()});
    return all;
}

void BuildBoxTree::describe(PassInfo<BuildBoxTree>& info) {
    info.summary("Builds a tree of turned boxes over a mesh, for collision/pairs")
        .details(
            "The tree is that of bvh/lbvh_build. Each node gets the box of all triangles below "
            "it along the principal axes of their surface, or along the coordinates, whichever "
            "has less surface: a box that follows the surface meets fewer others.\n"
            "Triangles without area, with a coordinate that is not finite, or with an index "
            "out of range are left out and counted in \"tree.bvh.status\".")
        .source("S. Gottschalk, M. C. Lin and D. Manocha, \"OBBTree: A Hierarchical Structure for "
                "Rapid Interference Detection\", SIGGRAPH 1996; D. Horn, \"Stream Reduction "
                "Operations for GPGPU Applications\", GPU Gems 2, chapter 36, 2005")
        .complexity("O(n log n): each triangle counts for all nodes above it")
        .cost([](const BuildBoxTree& pass, const Graph&) {
            // The hierarchy (see bvh/lbvh_build), and leaves read once and boxes written.
            return Cost{.bytes = (282.0 + 48.0 + 64.0) * pass.mesh.triangle_count,
                        .operations = 2000.0 * pass.mesh.triangle_count};
        });
    info.input("mesh", &BuildBoxTree::mesh, "at most 2^26 - 1 triangles");
    info.parameter("axes", &BuildBoxTree::axes, "which way the boxes lie").structural();
    info.output("tree", &BuildBoxTree::tree, "the tree");
}

void BuildBoxTree::build(Graph& graph) {
    tree.bvh = graph.add(LbvhBuild{.mesh = mesh}).bvh;
    if (!tree.bvh) return;
    const std::uint32_t most = std::max(mesh.triangle_count, 1u);
    const auto bind = [&](ComputeNodeBuilder& node) {
        node.specialize("kTurned", axes == BoxAxes::principal ? 1u : 0u);
        node.read("nodes", tree.bvh.nodes);
        node.read("leaves", tree.bvh.leaves);
    };
    ComputeNodeBuilder small = graph.compute("collision/fit_small");
    bind(small);
    small.read("bvh_status", tree.bvh.status);
    small.set("triangle_count", mesh.triangle_count);
    small.set("most", kFewTriangles);
    const Buffer none = graph.fill(array(graph, "large", std::uint64_t{most} + 1), 0, "no_large");
    const Buffer large = small.write("large", none);
    Buffer boxes = small.write("boxes", graph.buffer("boxes", {.size = most * sizeof(OrientedBox),
                                                               .stride = sizeof(OrientedBox)}));
    small.dispatch_each(most);

    ComputeNodeBuilder group = graph.compute("collision/fit_large");
    bind(group);
    group.read("large", large);
    tree.boxes = group.write("boxes", boxes);
    group.dispatch(std::clamp(most / kFewTriangles, 1u, kLargeGroups));
}

TUFF_PASS(BuildBoxTree)

} // namespace tuff::passes
