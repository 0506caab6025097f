#include "passes/scene/with_vertices.hpp"

#include <fmt/format.h>

namespace tuff::passes {

void SceneWithVertices::describe(PassInfo<SceneWithVertices>& info) {
    info.summary("Gives a scene vertices that a kernel of a config has moved")
        .details("A kernel updates \"SCENE.vertices\" in place and is responsible for normals and "
                 "tangents too. Triangles, transforms and materials stay. Bounds are those of the "
                 "original scene: they place cameras and shadow maps, and oit/tiled skips nothing "
                 "by them.")
        .complexity("none: it adds no work")
        .cost([](const SceneWithVertices&, const Graph&) { return Cost{}; });
    info.input("source", &SceneWithVertices::source,
               "the scene that has everything but the vertices");
    info.input("vertices", &SceneWithVertices::vertices,
               "the moved vertices, as many as the scene has")
        .elements<Vertex>();
    info.output("scene", &SceneWithVertices::scene, "the scene with the moved vertices");
}

void SceneWithVertices::build(Graph& graph) {
    const std::uint64_t bytes = graph.desc(vertices).size;
    const std::uint64_t needed = graph.desc(source.vertices).size;
    if (bytes < needed) {
        graph.error("primitives/too-short",
                    fmt::format("\"vertices\" has {} vertices, but the scene has {}",
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
