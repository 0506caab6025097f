#include "passes/scene/scene_view.hpp"

namespace tuff::passes {

void set_view(KernelNode& node, const SceneView& view) {
    node.set("view_projection", view.view_projection);
    node.set("eye", view.eye);
    node.set("light_direction", view.light_direction);
    node.set("light_irradiance", view.light_irradiance);
    node.set("roughness_scale", view.roughness_scale);
    node.set("environment_rotation", view.environment.rotation);
    node.set("environment_scale", view.environment_scale);
    node.set("light_view_projection", view.light_view_projection);
    node.set("light_texel", view.light_texel);
}

void bind_view(const Graph& graph, KernelNode& node, const SceneView& view) {
    specialize_cube_lookups(graph, node);
    set_view(node, view);
    node.read("environment_map", view.environment.specular);
    node.read("dfg", view.environment.dfg);
    node.read("irradiance", view.environment.irradiance);
    node.read_optional("shadow_map", view.shadow_map, Sampler::nearest(), "shadows");
}

} // namespace tuff::passes
