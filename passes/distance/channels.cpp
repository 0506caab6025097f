#include "passes/distance/channels.hpp"

#include "passes/distance/site_field.hpp"

namespace tuff::passes {
namespace {

bool is_volume(Graph& graph, Image image) {
    return graph.desc(image).shape == ImageShape::d3;
}

Image merged(Graph& graph, std::string_view name, Image red, Image green) {
    ComputeNodeBuilder node =
        graph.compute("distance/merge_channels", {{"VOLUME", is_volume(graph, red)}}, name);
    node.read("red", red, Sampler::nearest());
    node.read("green", green, Sampler::nearest());
    const Image result =
        node.write("result", like_seed(graph, name, red, two_channels_of(graph.desc(red).format)));
    node.dispatch_over(graph.extent(red));
    return result;
}

} // namespace

Image inverted(Graph& graph, Image seed) {
    ComputeNodeBuilder node =
        graph.compute("distance/invert_seed", {{"VOLUME", is_volume(graph, seed)}}, "invert_seed");
    node.read("seed", ImageView(seed).mip(0), Sampler::nearest());
    const Image result = node.write("result", like_seed(graph, "inverse", seed, Format::r8_uint));
    node.dispatch_over(graph.extent(seed));
    return result;
}

MadeField both_channels(Graph& graph, const MadeField& to_objects, const MadeField& to_background) {
    MadeField both;
    both.field = merged(graph, "field", to_objects.field, to_background.field);
    if (to_objects.site) both.site = merged(graph, "site", to_objects.site, to_background.site);
    ComputeNodeBuilder node = graph.compute("distance/both_statuses", "status");
    node.match<DistanceStatus>("inside");
    node.read("inside", to_background.status);
    both.status = node.write("status", to_objects.status);
    node.dispatch(1);
    return both;
}

} // namespace tuff::passes
