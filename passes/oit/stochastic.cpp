#include "passes/oit/stochastic.hpp"

#include "passes/oit/single_sample.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

/// The nearest of the fragments that sample `number` has; alpha 1 where there is one.
Image draw_sample(Graph& graph, const StochasticTransparency& pass, std::uint32_t number) {
    RasterNodeBuilder node = graph.raster("oit/stochastic");
    const Image nearest =
        node.color(like_view(graph, pass.view, "nearest", Format::rgba16_sfloat), cleared(0));
    static_cast<void>(
        node.depth(like_view(graph, pass.view, "depth", Format::d32_sfloat), cleared(1.0f)));
    node.set("number", number);
    node.set("seed", pass.seed);
    node.read("opaque_depth", pass.view.depth, Sampler::nearest());
    draw_blended(graph, node, pass.scene, pass.view);
    return nearest;
}

Image add_sample(Graph& graph, const StochasticTransparency& pass, Image nearest, Image before,
                 bool first) {
    ComputeNodeBuilder node = graph.compute("oit/stochastic_add");
    node.specialize("kFirstSample", std::uint32_t(first));
    node.set("share", 1.0f / static_cast<float>(pass.samples));
    node.read("nearest", nearest, Sampler::nearest());
    node.read("before", first ? nearest : before, Sampler::nearest());
    const Image sum =
        node.write("result", like_view(graph, pass.view, "sum", Format::rgba32_sfloat));
    node.dispatch_over(graph.extent(pass.view.color));
    return sum;
}

} // namespace

void StochasticTransparency::describe(PassInfo<StochasticTransparency>& info) {
    info.summary("Blends transparent surfaces as the mean of opaque pictures (stochastic "
                 "transparency)")
        .details("Each sample keeps a fragment with the probability of its alpha and shows the "
                 "nearest fragment kept. The expected picture is that of sorted blending, and the "
                 "error falls with the square root of \"samples\" for any number of layers. "
                 "Nothing is sorted and memory does not grow; all blended materials are drawn once "
                 "for each sample, with \"over\". Random numbers are a hash of pixel, triangle, "
                 "sample and seed, so a picture is the same in every run; change the seed each "
                 "frame for temporal filters. The pass supports one sample a pixel.")
        .source("Enderton, Sintorn, Shirley and Luebke, \"Stochastic Transparency\", I3D 2010")
        .complexity("O(samples * (triangles + fragments))");
    info.input("scene", &StochasticTransparency::scene, "the scene whose blended draws are drawn");
    info.input("view", &StochasticTransparency::view,
               "the view of scene/mesh_raster with one sample, which leaves out blended materials");
    info.parameter("samples", &StochasticTransparency::samples, "number of samples of the mean")
        .range(1, kMaxStochasticSamples)
        .structural();
    info.parameter("seed", &StochasticTransparency::seed, "seed of the hash");
    info.output("color", &StochasticTransparency::color,
                "the picture with the transparent surfaces, rgba16_sfloat");
}

void StochasticTransparency::build(Graph& graph) {
    color = like_view(graph, view, "color", Format::rgba16_sfloat);
    if (!is_single_sample(graph, view)) return;
    Image sum;
    for (std::uint32_t i = 0; i < samples; ++i) {
        graph.push_scope(fmt::format("sample[{}]", i));
        sum = add_sample(graph, *this, draw_sample(graph, *this, i), sum, i == 0);
        graph.pop_scope();
    }
    ComputeNodeBuilder node = graph.compute("oit/put_behind");
    node.read("background", view.color, Sampler::nearest());
    node.read("above", sum, Sampler::nearest());
    color = node.write("result", color);
    node.dispatch_over(graph.extent(view.color));
}

TUFF_PASS(StochasticTransparency)

} // namespace tuff::passes
