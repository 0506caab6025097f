#include "passes/collision/box_tree.hpp"

#include "passes/bvh/lbvh_build.hpp"
#include "passes/collision/box.hpp"
#include "passes/primitives/elements.hpp"

#include <algorithm>

namespace tuff::passes {
namespace {

/// Triangles below a node that one invocation takes.
constexpr std::uint32_t kFewTriangles = 64;
/// That one group takes, which are also those of a part where several groups share a node.
constexpr std::uint32_t kLargeTriangles = 4096; // as in shaders/collision/huge.glsl
/// Groups that take turns at the other nodes.
constexpr std::uint32_t kLargeGroups = 4096;
/// Levels that a tree by 30 bits of code and then 26 of a triangle's number can have.
constexpr std::uint64_t kMaxLevels = 56;

/// What nodes with very many triangles need.
struct HugeNodes {
    Buffer counts; ///< two words: of nodes and of their parts
    Buffer nodes;  ///< two words a node
    Buffer parts;  ///< a word a part
    std::uint64_t most_nodes = 1;
    std::uint64_t most_parts = 1;
};

HugeNodes room_for_huge(Graph& graph, std::uint32_t triangles) {
    HugeNodes huge;
    // Nodes of a level have no triangle together, and each may have a part that is not full.
    huge.most_nodes = std::max<std::uint64_t>(kMaxLevels * (triangles / kLargeTriangles), 1);
    huge.most_parts = 2 * huge.most_nodes;
    huge.counts = graph.fill(array(graph, "huge_counts", 2), 0, "no_huge");
    huge.nodes = graph.buffer("huge", {.size = 8 * huge.most_nodes, .stride = 8});
    huge.parts = array(graph, "parts", huge.most_parts);
    return huge;
}

Buffer quads(Graph& graph, std::string_view name, std::uint64_t count) {
    return graph.buffer(name, {.size = 16 * count, .stride = 16});
}

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
    // Boxes along the coordinates are known: no node needs more than one group.
    const bool shares = axes == BoxAxes::principal && mesh.triangle_count > kLargeTriangles;
    small.set("most_large", shares ? kLargeTriangles : ~0u);
    const Buffer none = graph.fill(array(graph, "large", std::uint64_t{most} + 1), 0, "no_large");
    const Buffer large = small.write("large", none);
    HugeNodes huge = room_for_huge(graph, mesh.triangle_count);
    huge.counts = small.write("counts", huge.counts);
    huge.nodes = small.write("huge", huge.nodes);
    huge.parts = small.write("parts", huge.parts);
    const Buffer boxes = small.write(
        "boxes",
        graph.buffer("boxes", {.size = most * sizeof(OrientedBox), .stride = sizeof(OrientedBox)}));
    small.dispatch_each(most);

    ComputeNodeBuilder group = graph.compute("collision/fit_large");
    bind(group);
    group.read("large", large);
    tree.boxes = group.write("boxes", boxes);
    group.dispatch(std::clamp(most / kFewTriangles, 1u, kLargeGroups));
    if (!shares) return;

    // First the axes of all, from the moments of parts; then the bounds along them.
    const auto node_of = [&](std::string_view kernel) {
        ComputeNodeBuilder node = graph.compute(kernel);
        node.read("counts", huge.counts);
        node.read("huge", huge.nodes);
        return node;
    };
    const auto groups = [&](std::uint64_t wanted) {
        return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(wanted, 1, kLargeGroups));
    };
    ComputeNodeBuilder moments = node_of("collision/huge_moments");
    moments.read("nodes", tree.bvh.nodes);
    moments.read("leaves", tree.bvh.leaves);
    moments.read("parts", huge.parts);
    const Buffer sums = moments.write("part_sums", quads(graph, "sums", 3 * huge.most_parts));
    moments.dispatch(groups(huge.most_parts));

    ComputeNodeBuilder turn = node_of("collision/huge_axes");
    turn.read("nodes", tree.bvh.nodes);
    turn.read("part_sums", sums);
    const Buffer turned = turn.write("axes_of", quads(graph, "axes", 2 * huge.most_nodes));
    turn.dispatch(groups(huge.most_nodes));

    ComputeNodeBuilder bounds = node_of("collision/huge_bounds");
    bounds.read("nodes", tree.bvh.nodes);
    bounds.read("leaves", tree.bvh.leaves);
    bounds.read("parts", huge.parts);
    bounds.read("axes_of", turned);
    const Buffer reached = bounds.write("part_bounds", quads(graph, "bounds", 2 * huge.most_parts));
    bounds.dispatch(groups(huge.most_parts));

    ComputeNodeBuilder write = node_of("collision/huge_boxes");
    write.read("nodes", tree.bvh.nodes);
    write.read("axes_of", turned);
    write.read("part_bounds", reached);
    tree.boxes = write.write("boxes", tree.boxes);
    write.dispatch(groups(huge.most_nodes));
}

TUFF_PASS(BuildBoxTree)

} // namespace tuff::passes
