#pragma once

#include "passes/geometry/triangle_mesh.hpp"

#include <tuff/graph.hpp>
#include <tuff/scene_resources.hpp>

#include <cstdint>

namespace tuff::passes {

/// Whether points on triangles of the scene are chosen as lights: there are materials that emit
/// evenly. See shaders/raytrace/emitter_weights.comp for those that count.
bool has_emitters(const SceneData& scene);

/// Tables of lights in one buffer, for kernels have few.
struct LightSums {
    Buffer sums;
    std::uint32_t emitter_offset = 0; ///< in words
};

/// `around` (the sums of the surroundings, where it is connected) with those of the mesh's emitting
/// triangles behind.
LightSums with_emitters(Graph& graph, Buffer around, const Scene& scene, const TriangleMesh& mesh);

} // namespace tuff::passes
