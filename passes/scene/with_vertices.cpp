#include "passes/scene/with_vertices.hpp"

#include <fmt/format.h>

namespace tuff::passes {

void SceneWithVertices::describe(PassInfo<SceneWithVertices>& info) {
    info.summary("Gives a scene the vertices that a kernel of a config has moved")
        .details("A kernel that updates \"SCENE.vertices\" in place moves what it likes: normals "
                 "and tangents, too, are what it makes of them. Triangles, transforms and "
                 "materials stay. Bounds are those of the scene as it was: cameras and shadow maps "
                 "are placed by them, and oit/tiled leaves nothing out by them.")
        .complexity("none: it adds no work")
        .cost([](const SceneWithVertices&, const Graph&) { return Cost{}; });
    info.input("source", &SceneWithVertices::source, "all else of the scene");
    info.input("vertices", &SceneWithVertices::vertices, "as many as the scene has")
        .elements<Vertex>();
    info.output("scene", &SceneWithVertices::scene, "the scene with them");
}

void SceneWithVertices::build(Graph& graph) {
    const std::uint64_t bytes = graph.desc(vertices).size;
    const std::uint64_t needed = graph.desc(source.vertices).size;
    if (bytes < needed) {
        graph.error("primitives/too-short",
                    fmt::format("\"vertices\" has {} vertices, and the scene {}",
                                bytes / sizeof(Vertex), needed / sizeof(Vertex)),
                    "connect the scene's own vertices, updated in place by a kernel");
        return;
    }
    scene = source;
    scene.vertices = vertices;
    scene.bounds_hold = false;
    scene.vertices_move = true;
}

TUFF_PASS(SceneWithVertices)

} // namespace tuff::passes
