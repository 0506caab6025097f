#include "passes/distance/antialiased.hpp"

#include "passes/common/picture.hpp"
#include "passes/distance/exact.hpp"

namespace tuff::passes {

void AntialiasedDistance::describe(PassInfo<AntialiasedDistance>& info) {
    info.summary("Measures signed distances to the contour of antialiased shapes, finer than a "
                 "texel")
        .details(
            "The first channel is the coverage of a texel by objects, 0 to 1. A texel has a piece "
            "of the contour if it is partly covered, or fully covered beside an empty texel. The "
            "piece is a straight line perpendicular to the gradient of the coverage, placed so "
            "that the covered area is right (Gustavson and Strand). distance/exact finds the "
            "nearest of these texels. The distance is to the nearest piece of contour in it, in "
            "the nearest of the eight texels around it, and in their neighbours. It is negative "
            "where more than half of a texel is covered.\n\nEdges should be one texel wide, as "
            "renderers of letters and shapes make them: in a blurred picture all grey texels count "
            "as contour. Values below 0 and above 1 count as 0 and 1, infinite ones too; NaN "
            "counts "
            "as background, also with \"invert\". A warning reports infinite values and NaN "
            "(distance/not-finite). A picture without a contour has no nearest piece: its distance "
            "is 46,341 (the root of 2^31) where it is empty, -46,341 where it is covered. Sides "
            "have at most 16,384 texels.")
        .source("Gustavson and Strand, \"Anti-aliased Euclidean distance transform\", Pattern "
                "Recognition Letters 32, 2011")
        .complexity("O(texels)")
        .cost([](const AntialiasedDistance& pass, const Graph& graph) {
            return picture_cost(graph, pass.source, pass.field, 500.0);
        });
    info.input("source", &AntialiasedDistance::source, "coverage in the first channel").picture();
    info.parameter("invert", &AntialiasedDistance::invert, "swaps objects and background");
    info.parameter("storage", &AntialiasedDistance::storage, "format of the field").structural();
    info.output("field", &AntialiasedDistance::field, "signed distance in texels");
    info.output("status", &AntialiasedDistance::status,
                "a DistanceStatus; objects are texels of which more than half is covered")
        .elements<DistanceStatus>();
}

void AntialiasedDistance::build(Graph& graph) {
    const Extent extent = graph.extent(source);
    if (!has_field_size(graph, extent, kExactLimits.side)) return;

    ComputeNodeBuilder find = graph.compute("distance/contour_pieces", "pieces");
    find.set("invert", invert ? 1u : 0u);
    find.read("source", ImageView(source).mip(0), Sampler::nearest());
    const Image seed = find.write("seed", image_like(graph, "seed", source, Format::r8_uint));
    const Image pieces =
        find.write("pieces", image_like(graph, "pieces", source, Format::rgba32_sfloat));
    status = find.accumulate("status", clear_status(graph));
    find.dispatch_over(extent);
    graph.status<DistanceStatus>(status);

    const Image site = graph.add(ExactDistance{.seed = seed}, "nearest").site;
    ComputeNodeBuilder node = graph.compute("distance/antialiased", "distance");
    node.read("pieces", pieces, Sampler::nearest());
    node.read("site", site, Sampler::nearest());
    field = node.write("field", image_like(graph, "field", source, signed_format(storage)));
    node.dispatch_over(extent);
}

TUFF_PASS(AntialiasedDistance)

} // namespace tuff::passes
