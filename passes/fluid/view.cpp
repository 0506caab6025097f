#include "passes/fluid/view.hpp"

#include <algorithm>
#include <cmath>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxViewSide = 16384;

bool shows_dye(FluidShown shown) {
    return shown == FluidShown::dye || shown == FluidShown::fire;
}

} // namespace

void FluidView::describe(PassInfo<FluidView>& info) {
    info.summary("Draws a flow: its dye, fire, speed, density or vorticity")
        .details("The field is stretched over the picture, linear between cells and across "
                 "periodic sides. For three dimensions the pass shows a slice across z. Speeds "
                 "are in cells per time unit, densities relative to rest, and \"whirls\" shows "
                 "the curl's z. \"gain\" multiplies the value. Fire changes with its heat "
                 "through red, orange and white, in front of smoke from the dye's first number.")
        .complexity("O(texels)")
        .cost([](const FluidView& pass, const Graph&) {
            const double texels = static_cast<double>(pass.width) * pass.height;
            return Cost{.bytes = 24.0 * texels, .operations = 150.0 * texels};
        });
    info.input("field", &FluidView::field, "the flow");
    info.optional_input("dye", &FluidView::dye, "the dye, for \"dye\" and \"fire\"");
    info.parameter("width", &FluidView::width, "width of the picture")
        .range(1, kMaxViewSide)
        .unit("texels")
        .structural();
    info.parameter("height", &FluidView::height, "height of the picture")
        .range(1, kMaxViewSide)
        .unit("texels")
        .structural();
    info.parameter("shown", &FluidView::shown, "what the colors show").structural();
    info.parameter("gain", &FluidView::gain, "factor of the shown value").range(0.0, 1e6);
    info.parameter("slice", &FluidView::slice, "three dimensions: position of the slice along z")
        .range(0.0, 1.0);
    info.parameter("background", &FluidView::background, "linear color behind a dye")
        .range(0.0, 65504.0);
    info.parameter("solid_color", &FluidView::solid_color, "linear color of obstacles")
        .range(0.0, 65504.0);
    info.output("result", &FluidView::result, "the picture, rgba16_sfloat, linear");
}

void FluidView::build(Graph& graph) {
    const Extent extent{width, height, 1};
    result = graph.image("result", {.format = Format::rgba16_sfloat, .extent = extent});
    if (!is_valid(graph, field, "field") || (dye && !is_valid(graph, dye, field, "dye"))) return;
    if (shows_dye(shown) && !dye) {
        graph.error("graph/unconnected",
                    "\"shown\" is \"dye\" or \"fire\", but \"dye\" is not "
                    "connected",
                    "connect \"dye\", or set \"shown\" to \"speed\", \"density\" or \"whirls\"");
        return;
    }
    const auto layer_of = [&](std::uint32_t depth) {
        const auto last = static_cast<float>(depth - 1);
        return static_cast<std::int32_t>(
            std::min(std::floor(slice * static_cast<float>(depth)), last));
    };
    const bool dyed = shows_dye(shown);
    ComputeNodeBuilder node = graph.compute("fluid/view");
    node.specialize("kShown", static_cast<std::uint32_t>(shown));
    FluidField looked_at = field;
    if (dyed) {
        looked_at.cells = dye.cells;
        looked_at.precision = FluidPrecision::full;
    }
    bind_flow(node, looked_at);
    bind_obstacles(node, field.solid);
    node.set("dims", glm::ivec3(field.dims));
    node.set("faces", field.boundary.bits());
    node.set("shown_dims", glm::ivec3(dyed ? dye.dims : field.dims));
    node.set("layer", layer_of(dyed ? dye.dims.z : field.dims.z));
    node.set("solid_layer", layer_of(field.dims.z));
    node.set("gain", gain);
    node.set("background", background);
    node.set("solid_color", solid_color);
    result = node.write("result", result);
    node.dispatch_over(extent);
}

TUFF_PASS(FluidView)

} // namespace tuff::passes
