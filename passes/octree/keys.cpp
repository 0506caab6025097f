#include "passes/octree/keys.hpp"

#include "passes/primitives/elements.hpp"

namespace tuff::passes {

void OctreeKeys::describe(PassInfo<OctreeKeys>& info) {
    info.summary("Computes the Morton keys of points: the leaf of an octree that contains each "
                 "point")
        .details(
            "A key is a 1, then three bits for each level from the root down: x, y and z, "
            "lowest bit first, which are 1 in the upper half. So the length of a key gives the "
            "depth, and a key without its last three bits is that of the parent node. A cell "
            "contains its lower faces.\n\n"
            "Up to 10 levels take one word a key; up to 21 levels take two words, the lower "
            "one first. No kernel needs 64-bit integers. Points outside the root or with "
            "coordinates that are not finite have key 0.\n\n"
            "Errors: octree/bad-points.")
        .source("Kotfis and Cozzi, \"Octree Mapping from a Depth Camera\", GPU Pro 7, 2016")
        .complexity("O(points)")
        .cost([](const OctreeKeys& pass, const Graph& graph) {
            if (!pass.keys) return Cost{};
            const double points = static_cast<double>(graph.desc(pass.points).size) / 16.0;
            return Cost{.bytes = points * (16.0 + 4.0 * pass.tree.key_words()),
                        .operations = 80.0 * points};
        });
    info.input("points", &OctreeKeys::points, "points in world space").elements<OctreePoint>();
    info.optional_input("count", &OctreeKeys::count,
                        "the first word is the number of points; without it, all points of the "
                        "buffer count")
        .elements<std::uint32_t>();
    info.group("tree", &OctreeKeys::tree);
    info.output("keys", &OctreeKeys::keys, "one or two words a point").elements<std::uint32_t>();
}

void OctreeKeys::build(Graph& graph) {
    const std::uint32_t most = checked_points(graph, points);
    if (most == 0) return;
    ComputeNodeBuilder node = graph.compute("octree/keys");
    specialize(node, tree);
    node.set("center", tree.center);
    node.set("cells_a_unit", tree.cells_a_unit());
    node.set("points", most);
    node.read("points", points);
    node.read_optional("count", count);
    keys = node.write("keys", array(graph, "keys", std::uint64_t{tree.key_words()} * most));
    node.dispatch_each(most);
}

TUFF_PASS(OctreeKeys)

} // namespace tuff::passes
