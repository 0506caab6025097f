#include "passes/lights/view.hpp"

namespace tuff::passes {

std::optional<LightView> light_view(Graph& graph, const CameraParameters& camera,
                                    const Scene& scene, std::uint32_t width, std::uint32_t height) {
    const SceneData nothing;
    const std::optional<Camera> found =
        camera_for(graph, camera, scene ? *scene.data : nothing, width, height);
    if (!found) return {};
    const glm::mat4 p = found->projection(static_cast<float>(width) / static_cast<float>(height));
    return LightView{.view_from_world = found->view(),
                     .clip_from_view = p,
                     .scale = {1.0f / p[0][0], 1.0f / p[1][1]},
                     .depth_terms = {p[3][3], p[3][2], p[2][3], p[2][2]},
                     .near_plane = found->near_plane,
                     .far_plane = found->far_plane,
                     .perspective = found->kind == Projection::perspective ? 1.0f : 0.0f};
}

void set_view(KernelNode& node, const LightView& view) {
    node.set("scale", view.scale);
    node.set("depth_terms", view.depth_terms);
    node.set("perspective", view.perspective);
}

} // namespace tuff::passes
