#pragma once

#include "passes/raytrace/surfaces.hpp"

#include <tuff/graph.hpp>
#include <tuff/scene_resources.hpp>

#include <cstddef>
#include <vector>

/// What shadow rays find where materials are cut away or seen through:
/// shaders/raytrace/see_through.glsl.
namespace tuff::passes {

/// Not connected where all that is drawn is opaque.
struct SeeThrough {
    Buffer triangles;                   ///< four quads a triangle of the mesh
    std::vector<MaterialBatch> batches; ///< of such materials; others may be among them

    explicit operator bool() const { return bool(triangles); }
};

SeeThrough see_through(Graph& graph, const Scene& scene, const TriangleMesh& mesh,
                       MaterialPasses passes);

/// Binds and sets what raytrace/see_through.glsl speaks of, beside the hierarchy and the queue, for
/// the batch of this number.
void bind_see_through(Graph& graph, KernelNode& node, const Scene& scene, const SeeThrough& parts,
                      std::size_t batch);

} // namespace tuff::passes
