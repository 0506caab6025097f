#include "passes/oit/depth_peel.hpp"

#include "passes/oit/single_sample.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

struct Layer {
    Image color;
    Image triangles;
    Image depth;
};

Layer peel(Graph& graph, const DepthPeel& pass, const Layer& before, bool first) {
    RasterNodeBuilder node = graph.raster("oit/peel");
    Layer layer;
    layer.color = node.color(like_view(graph, pass.view, "layer", Format::rgba8_unorm), cleared(0));
    layer.triangles =
        node.color(like_view(graph, pass.view, "triangles", Format::r32_uint), cleared_uint(0));
    layer.depth =
        node.depth(like_view(graph, pass.view, "depth", Format::d32_sfloat), cleared(1.0f));
    node.specialize("kFirstLayer", std::uint32_t(first));
    node.read("opaque_depth", pass.view.depth, Sampler::nearest());
    node.read("depth_before", first ? pass.view.depth : before.depth, Sampler::nearest());
    node.read("triangle_before", before.triangles, Sampler::nearest());
    draw_blended(graph, node, pass.scene, pass.view);
    return layer;
}

Image put_under(Graph& graph, const DepthPeel& pass, const Layer& layer, Image above, bool first) {
    ComputeNodeBuilder node = graph.compute("oit/peel_under");
    node.specialize("kFirstLayer", std::uint32_t(first));
    node.read("layer", layer.color, Sampler::nearest());
    node.read("triangles", layer.triangles, Sampler::nearest());
    node.read("above", first ? layer.color : above, Sampler::nearest());
    const Image result =
        node.write("result", like_view(graph, pass.view, "above", Format::rgba32_sfloat));
    node.dispatch_over(graph.extent(pass.view.color));
    return result;
}

} // namespace

void DepthPeel::describe(PassInfo<DepthPeel>& info) {
    info.summary("Blends transparent surfaces exactly by peeling off one layer after the other")
        .details(
            "Use it as the ground truth for other passes; it is slow. It draws all blended "
            "materials once for each layer and keeps the nearest fragment behind the previous "
            "layer, by depth and, at equal depth, by triangle. Fragments behind the last layer are "
            "left out. Colors are kept in 8 bits, and all materials are blended with \"over\". The "
            "pass supports one sample a pixel.")
        .source("Everitt, \"Interactive Order-Independent Transparency\", NVIDIA, 2001")
        .complexity("O(layers * (triangles + fragments))");
    info.input("scene", &DepthPeel::scene, "the scene whose blended draws are drawn");
    info.input("view", &DepthPeel::view,
               "the view of scene/mesh_raster with one sample, which leaves out blended materials");
    info.parameter("layers", &DepthPeel::layers, "number of layers kept, from the nearest on")
        .range(1, kMaxLayers)
        .structural();
    info.output("color", &DepthPeel::color, "the picture with the layers, rgba32_sfloat");
}

void DepthPeel::build(Graph& graph) {
    color = like_view(graph, view, "color", Format::rgba32_sfloat);
    if (!is_single_sample(graph, view)) return;
    Layer layer;
    layer.triangles = graph.clear(like_view(graph, view, "no_triangles", Format::r32_uint),
                                  std::array<std::uint32_t, 4>{});
    Image above;
    for (std::uint32_t i = 0; i < layers; ++i) {
        graph.push_scope(fmt::format("layer[{}]", i));
        layer = peel(graph, *this, layer, i == 0);
        above = put_under(graph, *this, layer, above, i == 0);
        graph.pop_scope();
    }
    ComputeNodeBuilder node = graph.compute("oit/put_behind");
    node.read("background", view.color, Sampler::nearest());
    node.read("above", above, Sampler::nearest());
    color = node.write("result", color);
    node.dispatch_over(graph.extent(view.color));
}

TUFF_PASS(DepthPeel)

} // namespace tuff::passes
