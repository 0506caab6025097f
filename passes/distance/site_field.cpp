#include "passes/distance/site_field.hpp"

namespace tuff::passes {

Image like_seed(Graph& graph, std::string_view name, Image seed, Format format) {
    const ImageDesc desc = graph.desc(seed);
    return graph.image(name, {.format = format, .extent = desc.extent, .shape = desc.shape});
}

MadeField site_field(Graph& graph, Image seed, Image sites, std::uint32_t passes,
                     std::uint32_t clamp) {
    const bool volume = graph.desc(seed).shape == ImageShape::d3;
    ComputeNodeBuilder node =
        graph.compute("distance/site_distances", {{"VOLUME", volume}}, "distances");
    node.set("passes", passes);
    node.set("most", clamp == 0 ? kUnreached32 : clamp * clamp);
    node.read("sites", sites, Sampler::nearest());
    MadeField made;
    made.site = node.write("near_sites", like_seed(graph, "site", seed, Format::r32_uint));
    made.field = node.write("field", like_seed(graph, "field", seed, Format::r32_uint));
    made.status = node.write("status", count_seed(graph, seed));
    node.dispatch_over(graph.extent(seed));
    return made;
}

} // namespace tuff::passes
