#include "passes/primitives/image_mean.hpp"

#include "passes/common/div_round_up.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kBlock = 64;         // as in shaders/primitives/group_mean.glsl
constexpr std::uint64_t kMeanBytes = 16;     // one vec4
constexpr std::uint64_t kWeightedBytes = 32; // WeightedMean of group_mean.glsl

double texel_count(Extent extent) {
    return static_cast<double>(extent.width) * extent.height * extent.depth;
}

std::uint32_t blocks(std::uint32_t size) {
    return div_round_up(size, kBlock);
}

} // namespace

void ImageMean::describe(PassInfo<ImageMean>& info) {
    info.summary("The mean of all texels of a picture or volume, channel by channel")
        .details("Computes the means of blocks of 64x64 texels, then their mean, weighted by the "
                 "texels of each block. Additions are pairwise, so the rounding error grows with "
                 "the logarithm of the number of texels. A mip chain would weigh the texels of odd "
                 "sizes unevenly. The result is the same to the bit in every run.")
        .source("Zachmann, \"Computer-Graphik II: GPGPU-Algorithmen\", TU Clausthal (exercise)")
        .complexity("O(texels)")
        .cost([](const ImageMean& pass, const Graph& graph) -> Cost {
            if (!pass.source) return {};
            const double texels = texel_count(graph.extent(pass.source));
            const auto bytes = tuff::info(graph.desc(pass.source).format).texel_bytes;
            return {.bytes = texels * bytes, .operations = 4.0 * texels};
        });
    info.input("source", &ImageMean::source, "a picture or volume").picture_or_volume();
    info.output("result", &ImageMean::result, "four f32, one for each channel")
        .elements<glm::vec4>();
}

void ImageMean::build(Graph& graph) {
    result = graph.buffer("result", {.size = kMeanBytes, .stride = 4});
    const Extent extent = graph.extent(source);
    const glm::ivec3 count(blocks(extent.width), blocks(extent.height), extent.depth);
    const auto all = static_cast<std::uint32_t>(count.x * count.y * count.z);

    const bool volume = graph.desc(source).shape == ImageShape::d3;
    ComputeNodeBuilder tile = graph.compute("primitives/mean_tile", {{"VOLUME", volume}}, "blocks");
    tile.read("source", ImageView(source).mip(0), Sampler::nearest());
    tile.set("blocks", count);
    const Buffer means =
        tile.write("means", graph.buffer("means", {.size = all * kWeightedBytes, .stride = 4}));
    tile.dispatch(static_cast<std::uint32_t>(count.x), static_cast<std::uint32_t>(count.y),
                  static_cast<std::uint32_t>(count.z));

    ComputeNodeBuilder join = graph.compute("primitives/mean_join", "join");
    join.read("means", means);
    join.set("count", all);
    result = join.write("mean", result);
    join.dispatch(1);
}

TUFF_PASS(ImageMean)

} // namespace tuff::passes
