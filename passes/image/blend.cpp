#include "passes/image/blend.hpp"

namespace tuff::passes {

void Blend::describe(PassInfo<Blend>& info) {
    info.summary("Composes one image onto another of the same size")
        .details(
            "Both images hold premultiplied alpha: color already scaled by coverage. The layer's "
            "color and alpha are first scaled by the opacity and the mask's red channel. Sizes "
            "that differ are an error.\n\n\"over\", \"multiply\", \"screen\", \"min\" (darken), "
            "\"max\" (lighten), \"difference\", \"overlay\", \"hard_light\", \"soft_light\", "
            "\"color_dodge\", \"color_burn\", \"exclusion\", \"hue\", \"saturation\", \"color\" "
            "and \"luminosity\" are the W3C's; the last nine and \"overlay\" are made for colors "
            "up to 1 and clamp brighter colors. \"in\", \"out\", \"atop\" and \"xor\" are Porter "
            "and Duff's operators. \"add\" sums colors without a limit and alpha up to 1; "
            "\"subtract\" subtracts the layer's color from the base's, down to 0; \"mix\" is base "
            "* (1 - t) + layer * t in all channels with t = weight * opacity * mask.")
        .source("Compositing and Blending Level 1, W3C, 2024; Porter and Duff, \"Compositing "
                "digital images\", SIGGRAPH 1984")
        .complexity("O(texels)")
        .cost([](const Blend& pass, const Graph& graph) {
            Cost cost = picture_cost(graph, pass.base, pass.result, 40.0);
            for (Image other : {pass.layer, pass.mask})
                if (other && pass.result) {
                    const Extent extent = graph.extent(other);
                    cost.bytes += static_cast<double>(extent.width) * extent.height *
                                  tuff::info(graph.desc(other).format).texel_bytes;
                }
            return cost;
        });
    info.input("base", &Blend::base, "the picture below, premultiplied alpha").picture();
    info.input("layer", &Blend::layer, "the picture on top, premultiplied alpha").picture();
    info.optional_input("mask", &Blend::mask, "scales the layer by its red channel").picture();
    info.parameter("mode", &Blend::mode, "how the two are combined");
    info.parameter("opacity", &Blend::opacity, "opacity of the layer").range(0, 1);
    info.parameter("weight", &Blend::weight, "weight of the layer in mode \"mix\"").range(0, 1);
    info.parameter("format", &Blend::format, "format of the result; \"same\" is the base's")
        .structural();
    info.output("result", &Blend::result, "the composition, of the base's size");
}

void Blend::build(Graph& graph) {
    // Each check on its own line, so that all that is wrong is reported at once.
    bool valid = same_size(graph, base, "base", layer, "layer");
    if (mask) valid &= same_size(graph, base, "base", mask, "mask");
    if (!valid) return;

    ComputeNodeBuilder node = graph.compute("image/blend");
    node.set("mode", static_cast<std::int32_t>(mode));
    node.set("opacity", opacity);
    node.set("weight", weight);
    node.read("base", ImageView(base).mip(0));
    node.read("layer", ImageView(layer).mip(0));
    node.read_optional("mask", ImageView(mask).mip(0));
    result = node.write("result", image_like(graph, "result", base,
                                             result_format(graph.desc(base).format, format)));
    node.dispatch_over(graph.extent(base));
}

TUFF_PASS(Blend)

} // namespace tuff::passes
