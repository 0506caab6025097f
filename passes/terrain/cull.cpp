#include "passes/terrain/cull.hpp"

#include "passes/primitives/elements.hpp"

#include <optional>

namespace tuff::passes {

void CullTree::describe(PassInfo<CullTree>& info) {
    info.summary("Culls the leaves of a tree that a camera cannot see")
        .details("A leaf of the ground has a box with its minimum and maximum height, if these "
                 "are known. A leaf of another surface has the cube around nine of its points, "
                 "enlarged by a quarter. Leaves whose box is outside of a plane of the view "
                 "are culled. If \"depth\" is connected, occluded leaves are culled too: it is "
                 "the depth of the previous frame, with the camera that this pass had then.\n\n"
                 "The tree itself does not change, so several cameras, also of shadow maps, "
                 "can cull the same tree. Errors: terrain/needs-perspective.")
        .source("Dupuy, Iehl and Poulin, \"Quadtrees on the GPU\", GPU Pro 5, 2014; Greene, Kass "
                "and Miller, \"Hierarchical Z-Buffer Visibility\", SIGGRAPH 1993")
        .complexity("O(leaves)")
        .cost([](const CullTree& pass, const Graph&) -> Cost {
            if (!pass.visible) return {};
            const double leaves = pass.visible.capacity;
            return {.bytes = 8.0 * leaves * (pass.visible.key_words() + 1),
                    .operations = 80.0 * leaves};
        });
    info.input("surface", &CullTree::surface, "the surface that the tree divides");
    info.input("tree", &CullTree::tree, "all leaves");
    info.optional_input("depth", &CullTree::depth,
                        "depth of the previous frame, 0 near and 1 "
                        "far")
        .depth_picture();
    info.group("camera", &CullTree::camera);
    info.parameter("width", &CullTree::width, "width of the picture")
        .range(1, 32768)
        .unit("texels");
    info.parameter("height", &CullTree::height, "height of the picture")
        .range(1, 32768)
        .unit("texels");
    info.output("visible", &CullTree::visible, "the visible leaves, in no order");
}

void CullTree::build(Graph& graph) {
    const std::optional<TerrainView> view = terrain_view(graph, camera, surface, width, height);
    if (!view) return;
    TreeNodes nodes{.surface = surface,
                    .view = *view,
                    .max_level = tree.max_level,
                    .faces = tree.faces,
                    .capacity = tree.capacity,
                    .drop = TreeDrop::outside,
                    .type = tree.type};
    add_hiders(graph, nodes, depth);
    ComputeNodeBuilder node = nodes.begin_hiding(graph, "terrain/cull");
    node.read("before", tree.keys);
    node.read("before_edges", tree.edges);
    node.read("before_status", tree.status);
    visible = tree;
    visible.sorted = false;
    visible.keys = node.write("keys", nodes.keys(graph, "keys", tree.capacity));
    visible.edges = node.write("edges", array(graph, "edges", tree.capacity));
    visible.status = node.write("status", graph.fill(array(graph, "status", 1), 0, "no_leaves"));
    node.dispatch_each(tree.capacity);
}

TUFF_PASS(CullTree)

} // namespace tuff::passes
