#include "passes/geometry/scene_counts.hpp"

#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

namespace tuff::passes {

SceneCounts counts_of(const SceneData& scene) {
    SceneCounts counts;
    for (const SceneDraw& draw : scene.draws) {
        counts.vertices += draw.vertex_count;
        counts.triangles += draw.index_count / 3;
    }
    return counts;
}

std::optional<SceneCounts> checked_counts(Graph& graph, const SceneData& scene) {
    const SceneCounts counts = counts_of(scene);
    const std::uint64_t most = kMaxElements / 3;
    if (counts.vertices <= most && counts.triangles <= most) return counts;
    graph.error("scene/too-large",
                fmt::format("the scene has {} vertices and {} triangles, but a mesh holds at most "
                            "{}",
                            counts.vertices, counts.triangles, most));
    return {};
}

} // namespace tuff::passes
