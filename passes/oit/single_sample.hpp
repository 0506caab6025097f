#pragma once

#include "passes/scene/scene_view.hpp"

#include <tuff/graph.hpp>
#include <tuff/scene_resources.hpp>

/// What passes share that draw transparent surfaces into pictures of one sample a pixel.
namespace tuff::passes {

/// Reports oit/samples where the view has several samples a pixel.
[[nodiscard]] bool is_single_sample(Graph& graph, const SceneView& view);

/// Binds what oit/corner.vert and scene/mesh_shading.glsl declare, and draws what blends.
void draw_blended(Graph& graph, RasterNodeBuilder& node, const Scene& scene, const SceneView& view);

/// The same for kernels that look at the surfaces' alpha alone.
void draw_blended_alpha(Graph& graph, RasterNodeBuilder& node, const Scene& scene,
                        const SceneView& view);

/// A picture of the view's size.
Image like_view(Graph& graph, const SceneView& view, std::string_view name, Format format);

} // namespace tuff::passes
