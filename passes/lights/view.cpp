#include "passes/lights/view.hpp"

namespace tuff::passes {

std::optional<LightView> light_view(Graph& graph, const CameraParameters& camera,
                                    const Scene& scene, Image depth) {
    const SceneData nothing;
    const Extent extent = graph.extent(depth);
    const std::optional<Camera> found =
        camera_for(graph, camera, scene ? *scene.data : nothing, extent.width, extent.height);
    if (!found) return {};
    const glm::mat4 p =
        found->projection(static_cast<float>(extent.width) / static_cast<float>(extent.height));
    return LightView{.view_from_world = found->view(),
                     .scale = {1.0f / p[0][0], 1.0f / p[1][1]},
                     .depth_terms = {p[3][3], p[3][2], p[2][3], p[2][2]},
                     .perspective = found->kind == Projection::perspective ? 1.0f : 0.0f};
}

void set_view(KernelNode& node, const LightView& view) {
    node.set("scale", view.scale);
    node.set("depth_terms", view.depth_terms);
    node.set("perspective", view.perspective);
}

} // namespace tuff::passes
