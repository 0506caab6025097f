#pragma once

#include <tuff/graph.hpp>
#include <tuff/scene.hpp>

#include <cstdint>
#include <optional>

namespace tuff::passes {

/// Vertices and triangles of all draws of a scene, those of shared meshes each time.
struct SceneCounts {
    std::uint64_t vertices = 0;
    std::uint64_t triangles = 0;
};

SceneCounts counts_of(const SceneData& scene);

/// The same; nothing, and a report of scene/too-large, where they are more than a buffer holds.
std::optional<SceneCounts> checked_counts(Graph& graph, const SceneData& scene);

} // namespace tuff::passes
