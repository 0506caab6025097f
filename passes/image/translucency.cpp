#include "passes/image/translucency.hpp"

#include "passes/common/picture.hpp"
#include "passes/image/box_filter.hpp"

namespace tuff::passes {
namespace {

constexpr double kMaxTranslucencyRadius = 4096.0;
constexpr double kMaxTint = 65504.0;

} // namespace

void Translucency::describe(PassInfo<Translucency>& info) {
    info.summary("Draws a translucent object over a picture: it blurs and tints the picture behind")
        .details("Where the layer lies in front of the picture, a texel shows the mean of the "
                 "picture behind it over a box, by a summed-area table. Frosted glass blurs "
                 "evenly. Uneven plastic has bumps, which bend the view where they slope and blur "
                 "more where they are thick. Colored foil blurs by a quarter of the radius. For "
                 "several layers run the pass once for each, the farthest first: each takes the "
                 "result and the depth of the one before.")
        .source("Zachmann, \"Computer-Graphik II: GPGPU-Algorithmen\", TU Clausthal")
        .complexity("O(texels)")
        .cost([](const Translucency& pass, const Graph& graph) {
            return picture_cost(graph, pass.source, pass.result, 150.0);
        });
    info.input("source", &Translucency::source, "the picture behind, linear light").picture();
    info.input("depth", &Translucency::depth, "its clip-space depth, 0 near and 1 far or nothing")
        .picture();
    info.input("layer_depth", &Translucency::layer_depth,
               "clip-space depth of the translucent object; the object shows where it is less than "
               "\"depth\"")
        .picture();
    info.optional_input("table", &Translucency::table,
                        "the source's summed-area table, where there is one already");
    info.parameter("material", &Translucency::material,
                   "\"frosted\" glass, \"uneven\" plastic or colored \"foil\"");
    info.parameter("tint", &Translucency::tint, "factor of the light behind").range(0.0, kMaxTint);
    info.parameter("radius", &Translucency::radius, "radius of the blur; 0: none")
        .range(0.0, kMaxTranslucencyRadius)
        .unit("texels");
    info.parameter("cell", &Translucency::cell, "size of the bumps of uneven plastic")
        .range(1.0, kMaxTranslucencyRadius)
        .unit("texels");
    info.output("result", &Translucency::result, "the picture with the layer");
    info.output("depth", &Translucency::result_depth, "the lesser of both depths, r32_sfloat");
}

void Translucency::build(Graph& graph) {
    if (!same_size(graph, source, "source", depth, "depth") ||
        !same_size(graph, source, "source", layer_depth, "layer_depth"))
        return;
    const SummedArea sums = table_for(graph, table, source, SumPrecision::offset);
    if (!sums) return;

    ComputeNodeBuilder node = graph.compute("image/translucency", "layer");
    node.read("source", ImageView(source).mip(0), Sampler::nearest());
    node.read("depth", ImageView(depth).mip(0), Sampler::nearest());
    node.read("layer_depth", ImageView(layer_depth).mip(0), Sampler::nearest());
    node.read("sums", sums.sums, Sampler::nearest());
    node.read("mean", sums.mean);
    node.set("origin", glm::ivec2(sums.origin));
    node.set("tint", tint);
    node.set("radius", radius);
    node.set("material", static_cast<std::uint32_t>(material));
    node.set("cell", cell);
    result = node.write("result",
                        image_like(graph, "result", source,
                                   result_format(graph.desc(source).format, OutputFormat::same)));
    result_depth =
        node.write("result_depth", image_like(graph, "depth", source, Format::r32_sfloat));
    node.dispatch_over(graph.extent(source));
}

TUFF_PASS(Translucency)

} // namespace tuff::passes
