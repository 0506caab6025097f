#include "passes/geometry/visibility_view.hpp"

namespace tuff::passes {

void VisibilityView::describe(PassInfo<VisibilityView>& info) {
    info.summary("Computes normals and barycentric weights of visible pixels, and colors the "
                 "pixels")
        .details("Use it to see the result of geometry/compute_raster, or as an example for "
                 "shading passes; shaders/include/geometry/barycentrics.glsl has the functions. "
                 "The plane of a pixel's nearest triangle gives the normal; the position of the "
                 "pixel's center in it gives the weights that interpolate vertex attributes in "
                 "space. Weights may lie slightly outside of 0 to 1, because vertices on the "
                 "screen are rounded to 1/256 pixel.")
        .source("Burns and Hunt, \"The Visibility Buffer\", Journal of Computer Graphics "
                "Techniques 2(2), 2013")
        .complexity("O(pixels)")
        .cost([](const VisibilityView& pass, const Graph&) {
            const double pixels =
                static_cast<double>(pass.visibility.width) * pass.visibility.height;
            return Cost{.bytes = 80.0 * pixels, .operations = 150.0 * pixels};
        });
    info.input("visibility", &VisibilityView::visibility, "triangle and depth of each pixel");
    info.parameter("color_by", &VisibilityView::color_by,
                   "what to show: a color for each triangle, its normal, the weights of the "
                   "corners, or depth, white near and black far")
        .structural();
    info.parameter("background", &VisibilityView::background,
                   "linear color and alpha where there is no triangle");
    info.output("result", &VisibilityView::result, "the picture, rgba16_sfloat");
    info.output("normals", &VisibilityView::normals,
                "rgba16_sfloat: unit normal of the side whose corners are counter-clockwise, in "
                "the mesh's coordinates, and 1; zeros where there is no triangle");
    info.output("weights", &VisibilityView::weights,
                "rgba32_sfloat: weights of the triangle's corners, and 1; zeros where there is "
                "none");
}

void VisibilityView::build(Graph& graph) {
    const Extent extent{visibility.width, visibility.height, 1};
    ComputeNodeBuilder node = graph.compute("geometry/visibility_view");
    node.specialize("kShows", static_cast<std::uint32_t>(color_by));
    node.set("clip_from_mesh", visibility.clip_from_mesh);
    node.set("size", glm::uvec2(visibility.width, visibility.height));
    node.set("background", background);
    node.read("keys", visibility.keys);
    node.read("positions", visibility.mesh.positions);
    node.read("indices", visibility.mesh.indices);
    const auto image = [&](std::string_view name, Format format) {
        return node.write(name, graph.image(name, {.format = format, .extent = extent}));
    };
    result = image("result", Format::rgba16_sfloat);
    normals = image("normals", Format::rgba16_sfloat);
    weights = image("weights", Format::rgba32_sfloat);
    node.dispatch_over(extent);
}

TUFF_PASS(VisibilityView)

} // namespace tuff::passes
