#include "passes/octree/cubes.hpp"

#include "passes/octree/view.hpp"

namespace tuff::passes {

void DrawVoxels::describe(PassInfo<DrawVoxels>& info) {
    info.summary("Draws the voxels of an octree as cubes, one instance each")
        .details("The rasterizer draws the three faces of each cube that face the camera. "
                 "octree/view with method \"rays\" shows the same without a list, and is "
                 "faster with many voxels.")
        .source("Kotfis and Cozzi, \"Octree Mapping from a Depth Camera\", GPU Pro 7, 2016")
        .complexity("O(voxels + texels)")
        .cost([](const DrawVoxels& pass, const Graph& graph) {
            if (!pass.result) return Cost{};
            const double texels = static_cast<double>(pass.width) * pass.height;
            const double voxels = static_cast<double>(graph.desc(pass.voxels.places).size) / 16.0;
            return Cost{.bytes = 12.0 * texels + 20.0 * voxels, .operations = 600.0 * voxels};
        });
    info.input("voxels", &DrawVoxels::voxels, "the voxels, from octree/extract");
    describe_octree_picture(info);
    info.parameter("lit", &DrawVoxels::lit, "whether faces differ in brightness");
    info.output("result", &DrawVoxels::result, "the picture, rgba16_sfloat");
    info.output("depth", &DrawVoxels::depth, "d32_sfloat: clip-space depth");
}

void DrawVoxels::build(Graph& graph) {
    const std::optional<Camera> view = octree_camera(graph, camera, voxels.shape, width, height);
    if (!view) return;
    const Extent extent{width, height, 1};
    RasterNodeBuilder node = graph.raster("octree/cubes");
    result = node.color(graph.image("result", {.format = Format::rgba16_sfloat, .extent = extent}),
                        cleared(background.r, background.g, background.b, background.a));
    depth = node.depth(graph.image("depth", {.format = Format::d32_sfloat, .extent = extent}),
                       cleared(1.0f));
    node.state().topology = Topology::triangle_list;
    const float aspect = static_cast<float>(width) / static_cast<float>(height);
    node.set("view_projection", view->projection(aspect) * view->view());
    node.set("eye", view->position);
    node.set("lit", lit ? 1.0f : 0.0f);
    node.read("places", voxels.places);
    node.read("colors", voxels.colors);
    node.draw_indirect(voxels.draw, 0, 1);
}

TUFF_PASS(DrawVoxels)

} // namespace tuff::passes
