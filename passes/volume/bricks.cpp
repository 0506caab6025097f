#include "passes/volume/bricks.hpp"

namespace tuff::passes {
namespace {

glm::uvec3 bricks_of(const SampledVolume& volume) {
    return (volume.dims + 7u) / 8u;
}

} // namespace

std::uint32_t brick_count(const SampledVolume& volume) {
    const glm::uvec3 bricks = bricks_of(volume);
    return bricks.x * bricks.y * bricks.z;
}

Buffer brick_ranges(Graph& graph, const SampledVolume& volume) {
    ComputeNodeBuilder node = graph.compute("volume/brick_ranges");
    bind_texels(node, volume);
    const std::uint64_t bytes = 8 * std::uint64_t{brick_count(volume)};
    const Buffer ranges =
        node.write("ranges", graph.buffer("ranges", {.size = bytes, .stride = 8}));
    const glm::uvec3 bricks = bricks_of(volume);
    node.dispatch(bricks.x, bricks.y, bricks.z);
    return ranges;
}

} // namespace tuff::passes
