#include "passes/distance/cells.hpp"

#include "passes/common/picture.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

constexpr double kMaxCellLength = 65536.0; // texels

bool is_words(Graph& graph, Image image, std::string_view port) {
    const ImageDesc desc = graph.desc(image);
    if (desc.format != Format::r32_uint) {
        graph.error("distance/field-format",
                    fmt::format("input \"{}\" has format {}", port, info(desc.format).name),
                    "connect the output of distance/exact, which is r32_uint");
        return false;
    }
    if (desc.shape == ImageShape::d2 && desc.layers == 1 && desc.samples == 1) return true;
    graph.error("image/not-two-dimensional",
                fmt::format("input \"{}\" has depth, layers, faces or samples", port),
                "connect the distances of a picture");
    return false;
}

} // namespace

void DistanceCells::describe(PassInfo<DistanceCells>& info) {
    info.summary("Shows which object is nearest: a Voronoi diagram with lines of equal distance")
        .details("Each site has its own color, by a hash of its position. Lines are drawn where "
                 "the distance is a multiple of \"contours\", and objects are drawn as dots. "
                 "Texels without a site are grey.")
        .complexity("O(texels)")
        .cost([](const DistanceCells& pass, const Graph& graph) {
            Cost cost = picture_cost(graph, pass.site, pass.result, 40.0);
            if (pass.result) cost.bytes += picture_cost(graph, pass.field, pass.field, 0).bytes / 2;
            return cost;
        });
    info.input("site", &DistanceCells::site, "sites of a picture from distance/exact");
    info.input("field", &DistanceCells::field, "squared distances from the same pass");
    info.parameter("contours", &DistanceCells::contours,
                   "distance from one line to the next; 0: no lines")
        .range(0.0, kMaxCellLength)
        .unit("texels");
    info.parameter("line", &DistanceCells::line, "width of these lines")
        .range(0.0, 1024.0)
        .unit("texels");
    info.parameter("dot", &DistanceCells::dot, "radius of the objects' dots; 0: none")
        .range(0.0, 1024.0)
        .unit("texels");
    info.parameter("colors", &DistanceCells::colors, "seed of the colors");
    info.output("result", &DistanceCells::result,
                "the picture, rgba8_unorm, encoded for a display");
}

void DistanceCells::build(Graph& graph) {
    if (!is_words(graph, site, "site") || !is_words(graph, field, "field") ||
        !same_size(graph, site, "site", field, "field"))
        return;
    ComputeNodeBuilder node = graph.compute("distance/cells");
    node.set("contours", contours);
    node.set("line", line);
    node.set("dot_radius", dot);
    node.set("colors", colors);
    node.read("site", ImageView(site).mip(0), Sampler::nearest());
    node.read("field", ImageView(field).mip(0), Sampler::nearest());
    result = node.write("result", image_like(graph, "result", site, Format::rgba8_unorm));
    node.dispatch_over(graph.extent(site));
}

TUFF_PASS(DistanceCells)

} // namespace tuff::passes
