#include "passes/image/bloom.hpp"

#include <fmt/format.h>

#include <vector>

namespace tuff::passes {
namespace {

constexpr double kMaxLight = 65504.0;

Extent half_of(Extent extent) {
    return {(extent.width + 1) / 2, (extent.height + 1) / 2, 1};
}

} // namespace

void Bloom::describe(PassInfo<Bloom>& info) {
    info.summary("Spreads light around bright texels, as lenses and eyes do")
        .details(
            "Use it on linear colors, before image/tonemap.\n\nThe light of a texel is its color "
            "times (m - threshold) / m, where m is the greatest of its channels; within threshold "
            "* knee of the threshold a parabola replaces the corner. The light is halved in size "
            "\"levels\" times by the weights 1 3 3 1. Each size is then upsampled linearly and "
            "added to the next larger one: own * (1 - spread) + smaller * spread. This keeps the "
            "sum of the light: an evenly bright picture gets \"intensity\" times its own light. "
            "More levels and more spread make wider circles: the last level reaches about 2^levels "
            "texels. Texels that are not finite, and colors below 0, give no light.")
        .source("Jimenez, \"Next Generation Post Processing in Call of Duty: Advanced Warfare\", "
                "SIGGRAPH 2014; Burt, \"Fast Filter Transforms for Image Processing\", CGIP 16, "
                "1981")
        .complexity("O(texels)")
        .cost([](const Bloom& pass, const Graph& graph) {
            return picture_cost(graph, pass.source, pass.result, 120.0);
        });
    info.input("source", &Bloom::source, "a picture in linear colors").picture();
    info.parameter("threshold", &Bloom::threshold, "brightness above which texels give light")
        .range(0.0, kMaxLight);
    info.parameter("knee", &Bloom::knee, "softness of the threshold, as a share of it")
        .range(0.0, 1.0);
    info.parameter("intensity", &Bloom::intensity, "intensity of the light that is added")
        .range(0.0, 1e3);
    info.parameter("spread", &Bloom::spread, "share of the larger circles").range(0.0, 1.0);
    info.parameter("levels", &Bloom::levels, "sizes of circles; fewer where the picture is small")
        .range(1, kMaxLevels)
        .structural();
    info.parameter("tint", &Bloom::tint, "color of the light, linear").range(0.0, 1e3);
    info.parameter("shown", &Bloom::shown, "the picture with the light, or the light alone");
    info.parameter("format", &Bloom::format, "format of the result").structural();
    info.output("result", &Bloom::result, "the picture with the light, of the source's size");
}

void Bloom::build(Graph& graph) {
    std::vector<Image> lights;
    Extent extent = graph.extent(source);
    for (int level = 0; level < levels; ++level) {
        if (level > 0 && extent == Extent{1, 1, 1}) break;
        extent = half_of(extent);
        ComputeNodeBuilder node = graph.compute(
            level == 0 ? "image/bloom_bright" : "image/bloom_halve", fmt::format("level{}", level));
        if (level == 0) {
            node.set("threshold", threshold);
            node.set("knee", threshold * knee);
            node.read("source", ImageView(source).mip(0));
        } else {
            node.read("source", lights.back());
        }
        lights.push_back(
            node.write("result", graph.image(fmt::format("light{}", level),
                                             {.format = Format::rgba16_sfloat, .extent = extent})));
        node.dispatch_over(extent);
    }
    Image sum = lights.back();
    for (std::size_t level = lights.size() - 1; level-- > 0;) {
        ComputeNodeBuilder node =
            graph.compute("image/bloom_spread", fmt::format("spread{}", level));
        node.set("spread", spread);
        node.read("light", lights[level]);
        node.read("small", sum);
        sum = node.write("result", image_like(graph, fmt::format("sum{}", level), lights[level],
                                              Format::rgba16_sfloat));
        node.dispatch_over(graph.extent(sum));
    }
    ComputeNodeBuilder node = graph.compute("image/bloom_add", "add");
    node.set("intensity", intensity);
    node.set("alone", std::uint32_t(shown == BloomShown::light));
    node.set("tint", tint);
    node.read("source", ImageView(source).mip(0));
    node.read("small", sum);
    result = node.write("result", image_like(graph, "result", source,
                                             result_format(graph.desc(source).format, format)));
    node.dispatch_over(graph.extent(source));
}

TUFF_PASS(Bloom)

} // namespace tuff::passes
