#include "passes/oit/depth_peel.hpp"
#include "passes/oit/single_sample.hpp"

namespace tuff::passes {

void WeightedBlended::describe(PassInfo<WeightedBlended>& info) {
    info.summary("Blends transparent surfaces as an average that is weighted by nearness")
        .details("One pass without sorting and in constant memory. The result is exact for one "
                 "layer, plausible for several, and wrong where strong colors cover each other. "
                 "The transmittance of the background is exact. The pass supports one sample a "
                 "pixel.")
        .source("McGuire and Bavoil, \"Weighted Blended Order-Independent Transparency\", Journal "
                "of Computer Graphics Techniques 2(2), 2013")
        .complexity("O(triangles + fragments)");
    info.input("scene", &WeightedBlended::scene, "the scene whose blended draws are drawn");
    info.input("view", &WeightedBlended::view,
               "the view of scene/mesh_raster with one sample, which leaves out blended materials");
    info.output("color", &WeightedBlended::color,
                "the picture with the transparent surfaces, rgba16_sfloat");
}

void WeightedBlended::build(Graph& graph) {
    color = like_view(graph, view, "color", Format::rgba16_sfloat);
    if (!is_single_sample(graph, view)) return;
    RasterNodeBuilder draw = graph.raster("oit/weighted");
    const Image colors = draw.blended_color(like_view(graph, view, "colors", Format::rgba16_sfloat),
                                            cleared(0, 0, 0, 1));
    const Image weights =
        draw.blended_color(like_view(graph, view, "weights", Format::rgba16_sfloat), cleared(0));
    draw.depth_test_only(view.depth);
    draw.state().depth_write = false;
    draw.state().blend = {.source_color = BlendFactor::one,
                          .destination_color = BlendFactor::one,
                          .source_alpha = BlendFactor::zero,
                          .destination_alpha = BlendFactor::one_minus_source_alpha};
    draw_blended(graph, draw, scene, view);

    ComputeNodeBuilder node = graph.compute("oit/weighted_blend", "blend");
    node.read("background", view.color, Sampler::nearest());
    node.read("colors", colors, Sampler::nearest());
    node.read("weights", weights, Sampler::nearest());
    color = node.write("result", color);
    node.dispatch_over(graph.extent(view.color));
}

TUFF_PASS(WeightedBlended)

} // namespace tuff::passes
