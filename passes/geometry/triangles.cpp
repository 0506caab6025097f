#include "passes/geometry/triangles.hpp"

#include "passes/geometry/scene_counts.hpp"
#include "passes/primitives/elements.hpp"

#include <algorithm>

namespace tuff::passes {

void Triangles::describe(PassInfo<Triangles>& info) {
    info.summary("Turns a scene into one mesh of triangles in world space")
        .details("Draws follow one another in the scene's order, each with its own vertices: a "
                 "mesh is copied for each node that shows it. Vertices are transformed by their "
                 "node, and each triangle stores its draw. A scene without draws gives a mesh "
                 "without triangles; a scene with more vertices or triangles than a buffer holds "
                 "is an error.")
        .complexity("O((vertices + triangles) * log draws)")
        .cost([](const Triangles& pass, const Graph&) {
            return Cost{.bytes = 76.0 * pass.mesh.vertex_count + 28.0 * pass.mesh.triangle_count,
                        .operations = 18.0 * pass.mesh.vertex_count};
        });
    info.input("scene", &Triangles::scene, "the scene");
    info.output("mesh", &Triangles::mesh, "the triangles, in the order of draws");
}

void Triangles::build(Graph& graph) {
    const auto counts = checked_counts(graph, *scene.data);
    if (!counts) return;
    mesh.vertex_count = static_cast<std::uint32_t>(counts->vertices);
    mesh.triangle_count = static_cast<std::uint32_t>(counts->triangles);

    ComputeNodeBuilder node = graph.compute("geometry/triangles");
    node.read("vertices", scene.vertices);
    node.read("indices", scene.indices);
    node.read("draws", scene.draws);
    node.read("starts", scene.starts);
    node.read("transforms", scene.transforms);
    node.set("draw_count", static_cast<std::uint32_t>(scene.data->draws.size()));
    node.set("vertex_count", mesh.vertex_count);
    node.set("triangle_count", mesh.triangle_count);
    mesh.positions =
        node.write("positions", array(graph, "positions", std::uint64_t{3} * mesh.vertex_count));
    mesh.indices =
        node.write("corners", array(graph, "indices", std::uint64_t{3} * mesh.triangle_count));
    mesh.draws = node.write("owners", array(graph, "draws", mesh.triangle_count));
    node.dispatch_each(std::max(mesh.vertex_count, mesh.triangle_count));
}

TUFF_PASS(Triangles)

} // namespace tuff::passes
