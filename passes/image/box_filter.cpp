#include "passes/image/box_filter.hpp"

#include "passes/primitives/image_mean.hpp"

#include <algorithm>

namespace tuff::passes {
namespace {

constexpr int kMaxBoxRadius = 16384;

} // namespace

SummedArea table_for(Graph& graph, const SummedArea& table, Image source, SumPrecision precision) {
    if (!table) return graph.add(SummedAreaTable{.source = source, .precision = precision}).table;
    return same_size(graph, source, "source", table.sums, "table") ? table : SummedArea{};
}

void BoxFilter::describe(PassInfo<BoxFilter>& info) {
    info.summary("Replaces each texel by the mean over a box around it, of any size")
        .details("The filter uses a summed-area table, so the time does not depend on the size of "
                 "the box. Boxes are cut off at the edge of the picture. Volumes are filtered by "
                 "three-dimensional boxes. Repeated three times, the box filter is close to a "
                 "Gaussian of deviation sqrt(radius * (radius + 1)). Unlike image/average, it "
                 "filters alpha too. For small boxes image/average rounds less.")
        .source("Zachmann, \"Computer-Graphik II: GPGPU-Algorithmen\", TU Clausthal; Crow, "
                "\"Summed-area tables for texture mapping\", SIGGRAPH 1984")
        .complexity("O(texels)")
        .cost([](const BoxFilter& pass, const Graph& graph) {
            return picture_cost(graph, pass.source, pass.result, 20.0);
        });
    info.input("source", &BoxFilter::source, "a picture or volume").picture_or_volume();
    info.optional_input("table", &BoxFilter::table,
                        "the source's summed-area table, where there is one already");
    info.parameter("radius", &BoxFilter::radius,
                   "texels to each side, along x, y and (volumes only) z; 0: that axis is not "
                   "filtered")
        .range(0, kMaxBoxRadius)
        .unit("texels");
    info.parameter("precision", &BoxFilter::precision,
                   "precision of the table, if the pass makes it: see primitives/summed_area_table")
        .structural();
    info.parameter("format", &BoxFilter::format, "format of the result").structural();
    info.output("result", &BoxFilter::result, "the filtered image, of the source's size");
}

void BoxFilter::build(Graph& graph) {
    const SummedArea sums = table_for(graph, table, source, precision);
    if (!sums) return;

    const ImageDesc desc = graph.desc(source); // a copy: the graph grows below
    const bool volume = desc.shape == ImageShape::d3;
    ComputeNodeBuilder node =
        volume ? graph.compute(sums.integers ? "image/box_filter_3d_uint" : "image/box_filter_3d",
                               "lookup")
               : graph.compute("image/box_filter", {{"INTEGERS", sums.integers}}, "lookup");
    node.read("sums", sums.sums, Sampler::nearest());
    if (!volume || !sums.integers) node.read("mean", sums.mean);
    if (volume) {
        node.set("origin", sums.origin);
        node.set("radius", radius);
    } else {
        node.set("origin", glm::ivec2(sums.origin));
        node.set("radius", glm::ivec2(radius));
    }
    if (!volume || sums.integers) node.set("levels", sums.levels);
    result =
        node.write("result", graph.image("result", {.format = result_format(desc.format, format),
                                                    .extent = desc.extent,
                                                    .shape = desc.shape}));
    node.dispatch_over(desc.extent);
}

TUFF_PASS(BoxFilter)

} // namespace tuff::passes
