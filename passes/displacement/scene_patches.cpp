#include "passes/displacement/scene_patches.hpp"

#include "passes/geometry/scene_counts.hpp"

namespace tuff::passes {

void ScenePatches::describe(PassInfo<ScenePatches>& info) {
    info.summary("Makes quads to displace of a scene's triangles")
        .details("Three a triangle, each from a corner to the triangle's middle, in world space, "
                 "with the vertices' normals and first texture coordinates; patch n comes from "
                 "triangle n / 3, counted as by geometry/triangles. Triangles that share corners, "
                 "normals and coordinates stay together however they are displaced. Coordinates "
                 "outside of 0 to 1 count as the nearest within.")
        .complexity("O(triangles log draws)")
        .cost([](const ScenePatches& pass, const Graph&) {
            const double triangles = static_cast<double>(counts_of(*pass.scene.data).triangles);
            return Cost{.bytes = 600.0 * triangles, .operations = 200.0 * triangles};
        });
    info.input("scene", &ScenePatches::scene, "whose triangles are cut");
    info.output("patches", &ScenePatches::patches, "for displacement/surface")
        .elements<PatchRecord>();
}

void ScenePatches::build(Graph& graph) {
    const auto counts = checked_counts(graph, *scene.data);
    if (!counts) return;
    if (counts->triangles == 0) {
        graph.error("displacement/no-triangles", "the scene has no triangles",
                    "take a scene that has some");
        return;
    }
    const auto triangles = static_cast<std::uint32_t>(counts->triangles);
    ComputeNodeBuilder node = graph.compute("displacement/scene_patches");
    node.read("vertices", scene.vertices);
    node.read("indices", scene.indices);
    node.read("draws", scene.draws);
    node.read("starts", scene.starts);
    node.read("transforms", scene.transforms);
    node.set("draw_count", static_cast<std::uint32_t>(scene.data->draws.size()));
    node.set("triangle_count", triangles);
    patches = node.write("result", graph.buffer("patches", {.size = std::uint64_t{3} *
                                                                    sizeof(PatchRecord) * triangles,
                                                            .stride = sizeof(PatchRecord)}));
    node.dispatch_each(triangles);
}

TUFF_PASS(ScenePatches)

} // namespace tuff::passes
