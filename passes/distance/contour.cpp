#include "passes/distance/contour.hpp"

#include "passes/primitives/compaction.hpp"

#include <cmath>

namespace tuff::passes {

std::optional<Contour> find_contour(Graph& graph, Image seed) {
    const Extent size = graph.extent(seed);
    const std::uint32_t texels = size.width * size.height;
    ComputeNodeBuilder node = graph.compute("distance/contour_flags");
    node.read("seed", seed, Sampler::nearest());
    const Buffer flags = node.write("flags", array(graph, "flags", texels));
    node.dispatch_over(size);
    const std::optional<Compacted> found =
        compact(graph, {.source = flags,
                        .length = {.most = texels, .count = {}},
                        .keep = {.predicate = {}, .flags = flags},
                        .indices = true});
    if (!found) return {};
    return Contour{found->kept, found->kept_count};
}

Buffer draw_each(Graph& graph, const Contour& contour, std::uint32_t vertices) {
    ComputeNodeBuilder node = graph.compute("distance/instances");
    node.set("vertices", vertices);
    node.read("count", contour.count);
    const Buffer arguments = node.write("arguments", array(graph, "arguments", 4));
    node.dispatch(1);
    return arguments;
}

float reach_of(Extent size, std::uint32_t clamp) {
    const float diagonal =
        std::hypot(static_cast<float>(size.width), static_cast<float>(size.height));
    return clamp == 0 ? diagonal : std::min(diagonal, static_cast<float>(clamp));
}

} // namespace tuff::passes
