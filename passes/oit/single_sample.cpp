#include "passes/oit/single_sample.hpp"

#include <fmt/format.h>

namespace tuff::passes {

bool is_single_sample(Graph& graph, const SceneView& view) {
    const std::uint32_t samples = graph.desc(view.depth).samples;
    if (samples == 1) return true;
    graph.error("oit/samples",
                fmt::format("the picture has {} samples a pixel, but one is needed", samples),
                "use oit/capture and oit/resolve, which take several");
    return false;
}

void draw_blended(Graph& graph, RasterNodeBuilder& node, const Scene& scene,
                  const SceneView& view) {
    bind_view(graph, node, view);
    node.read("starts", scene.starts);
    draw_scene(graph, node, scene, blended_draws(*scene.data), kMeshTextures,
               Faces::as_material_says, Fetch::pulled);
}

void draw_blended_alpha(Graph& graph, RasterNodeBuilder& node, const Scene& scene,
                        const SceneView& view) {
    static constexpr MaterialTexture kTextures[] = {
        {"base_color_map", &SceneMaterial::base_color_texture}};
    set_view(node, view);
    node.read("starts", scene.starts);
    draw_scene(graph, node, scene, blended_draws(*scene.data), kTextures, Faces::as_material_says,
               Fetch::pulled);
}

Image like_view(Graph& graph, const SceneView& view, std::string_view name, Format format) {
    const Extent extent = view.color ? graph.extent(view.color) : Extent{1, 1, 1};
    return graph.image(name, {.format = format, .extent = extent});
}

} // namespace tuff::passes
