#include "passes/terrain/ranges.hpp"

#include "passes/common/div_round_up.hpp"

#include <glm/vec2.hpp>

namespace tuff::passes {

Buffer picture_ranges(Graph& graph, Image picture, float instead) {
    const Extent extent = graph.extent(picture);
    std::uint64_t elements = 0;
    for (glm::uvec2 size(extent.width, extent.height);; size = (size + 1u) / 2u) {
        elements += std::uint64_t{size.x} * size.y;
        if (size == glm::uvec2(1)) break;
    }
    Buffer ranges =
        graph.buffer("ranges", {.size = elements * sizeof(glm::vec2), .stride = sizeof(glm::vec2)});
    {
        ComputeNodeBuilder node = graph.compute("terrain/ranges");
        node.read("source", ImageView(picture).mip(0), Sampler::nearest());
        node.set("instead", instead);
        ranges = node.write("ranges", ranges);
        node.dispatch_over(extent);
    }
    std::uint32_t below = 0;
    for (glm::uvec2 size(extent.width, extent.height); size != glm::uvec2(1);
         size = (size + 1u) / 2u) {
        ComputeNodeBuilder node = graph.compute("terrain/range_level");
        const std::uint32_t first = below + size.x * size.y;
        node.set("below", below);
        node.set("first", first);
        node.set("size", size);
        ranges = node.write("ranges", ranges);
        node.dispatch_over({div_round_up(size.x, 2u), div_round_up(size.y, 2u), 1});
        below = first;
    }
    return ranges;
}

} // namespace tuff::passes
