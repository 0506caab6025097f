#include "passes/filter/color_wheel.hpp"

namespace tuff::passes {

void FilterColorWheel::describe(PassInfo<FilterColorWheel>& info) {
    info.summary("Shows the orientations of a picture as colors")
        .details(
            "The pass shows two-dimensional tensors. The hue is twice the angle of the direction "
            "in which the picture varies most, so opposite directions look the same and "
            "perpendicular lines have opposite colors: red where it varies along x, cyan along y. "
            "The value is the larger eigenvalue times \"scale\", clamped to 1; colors fade to "
            "white as the smaller eigenvalue approaches the larger one. If \"legend\" gives it a "
            "radius, a wheel in the lower right corner shows the color of each direction from its "
            "center.")
        .source("Granlund and Knutsson, \"Signal Processing for Computer Vision\", 1995")
        .complexity("O(texels)")
        .cost([](const FilterColorWheel& pass, const Graph&) {
            const double texels = static_cast<double>(pass.size.x) * pass.size.y;
            return Cost{.bytes = 16.0 * texels, .operations = 60.0 * texels};
        });
    info.input("tensor", &FilterColorWheel::tensor,
               "xx, xy and yy of each place, as from \"filter/structure_tensor\", f32")
        .elements<float>();
    info.parameter("size", &FilterColorWheel::size, "size of the picture")
        .range(1, 16384)
        .unit("texels")
        .structural();
    info.parameter("scale", &FilterColorWheel::scale,
                   "factor from eigenvalues to the value of the color")
        .range(0, 1e30);
    info.parameter("legend", &FilterColorWheel::legend, "radius of the wheel; 0: none")
        .range(0, 16384)
        .unit("texels");
    info.output("result", &FilterColorWheel::result,
                "the picture, rgba8_unorm, encoded for a display");
}

void FilterColorWheel::build(Graph& graph) {
    const auto field = tensor_field(graph, {size.x, size.y, 1, 1}, 1, 3);
    if (!field || !holds_places(graph, "tensor", tensor, *field, 3)) return;
    const Extent extent{size.x, size.y, 1};
    ComputeNodeBuilder node = graph.compute("filter/color_wheel");
    node.read("tensor", tensor);
    node.set("places", field->places);
    node.set("scale", scale);
    node.set("legend", legend);
    result = node.write("result",
                        graph.image("wheel", {.format = Format::rgba8_unorm, .extent = extent}));
    node.dispatch_over(extent);
}

TUFF_PASS(FilterColorWheel)

} // namespace tuff::passes
