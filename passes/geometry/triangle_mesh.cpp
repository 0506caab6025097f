#include "passes/geometry/triangle_mesh.hpp"

#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

bool holds_words(Graph& graph, Buffer buffer, std::uint64_t words, std::string_view port) {
    if (capacity(graph, buffer) >= words) return true;
    graph.error("primitives/too-short", fmt::format("\"{}\" has room for {} words, but {} are "
                                                    "needed",
                                                    port, capacity(graph, buffer), words));
    return false;
}

} // namespace

bool is_valid(Graph& graph, const TriangleMesh& mesh) {
    if (mesh.triangle_count > kMaxMeshTriangles) {
        graph.error("bvh/too-many-triangles", fmt::format("the mesh has {} triangles, more than {}",
                                                          mesh.triangle_count, kMaxMeshTriangles));
        return false;
    }
    return holds_words(graph, mesh.positions, std::uint64_t{mesh.vertex_count} * 3, "positions") &&
           holds_words(graph, mesh.indices, std::uint64_t{mesh.triangle_count} * 3, "indices");
}

} // namespace tuff::passes
