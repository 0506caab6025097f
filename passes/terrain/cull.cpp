#include "passes/terrain/cull.hpp"

#include "passes/primitives/elements.hpp"

#include <optional>

namespace tuff::passes {

void CullTree::describe(PassInfo<CullTree>& info) {
    info.summary("Keeps those leaves of a tree that a camera may see")
        .details("A leaf of the ground has a box of its least and greatest height, where those are "
                 "known; one of another surface the cube about nine of its points, a quarter "
                 "larger. Leaves whose box lies outside a plane of the view are left out, and, "
                 "where \"depth\" is connected, those behind it: the depths of the frame before, "
                 "seen by the camera that this pass had then. The tree stays as it is, so several "
                 "cameras, of shadows too, can each have their leaves of it. Errors: "
                 "terrain/needs-perspective.")
        .source("Dupuy, Iehl and Poulin, \"Quadtrees on the GPU\", GPU Pro 5, 2014; Greene, Kass "
                "and Miller, \"Hierarchical Z-Buffer Visibility\", SIGGRAPH 1993")
        .complexity("O(leaves)")
        .cost([](const CullTree& pass, const Graph&) -> Cost {
            if (!pass.visible) return {};
            const double leaves = pass.visible.capacity;
            return {.bytes = 8.0 * leaves * (pass.visible.key_words() + 1),
                    .operations = 80.0 * leaves};
        });
    info.input("surface", &CullTree::surface, "what the tree divides");
    info.input("tree", &CullTree::tree, "all leaves");
    info.optional_input("depth", &CullTree::depth, "depths of the frame before, 0 near and 1 far")
        .depth_picture();
    info.group("camera", &CullTree::camera);
    info.parameter("width", &CullTree::width, "of the picture").range(1, 32768).unit("texels");
    info.parameter("height", &CullTree::height, "of the picture").range(1, 32768).unit("texels");
    info.output("visible", &CullTree::visible, "leaves, in no order");
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
