#include "passes/volume/histogram.hpp"

#include "passes/volume/bricks.hpp"

#include <glm/vec3.hpp>

namespace tuff::passes {
namespace {

constexpr std::uint64_t kHistogramBytes = 256 * sizeof(std::uint32_t);

} // namespace

NumberHistogram count_numbers(Graph& graph, const SampledVolume& volume, Buffer ranges) {
    ComputeNodeBuilder least = graph.compute("volume/number_range", "range");
    least.read("ranges", ranges);
    least.set("bricks", brick_count(volume));
    NumberHistogram found;
    found.range = least.write("range", graph.buffer("range", {.size = 8, .stride = 4}));
    least.dispatch(1);

    const Buffer zeros = graph.fill(
        graph.buffer("histogram", {.size = kHistogramBytes, .stride = 4}), 0, "no_counts");
    ComputeNodeBuilder count = graph.compute("volume/number_histogram", "histogram");
    bind_texels(count, volume);
    count.read("range", found.range);
    found.counts = count.accumulate("counts", zeros);
    count.dispatch((volume.dims.x + 15) / 16, (volume.dims.y + 15) / 16, (volume.dims.z + 15) / 16);
    return found;
}

} // namespace tuff::passes
