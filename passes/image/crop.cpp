#include "passes/image/crop.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tuff::passes {
namespace {

int texel_at(float share, std::uint32_t side) {
    return static_cast<int>(std::lround(static_cast<double>(share) * side));
}

} // namespace

void Crop::describe(PassInfo<Crop>& info) {
    info.summary("Takes a rectangle out of a picture")
        .details("The region is given in shares of the picture's width and height, so it does not "
                 "depend on the resolution. It is rounded to whole texels. A region without texels "
                 "is an error.")
        .complexity("O(texels of the result)")
        .cost([](const Crop& pass, const Graph& graph) {
            return picture_cost(graph, pass.result, pass.result, 0.0);
        });
    info.input("source", &Crop::source, "the picture").picture();
    info.parameter("region", &Crop::region,
                   "left, top, right and bottom edge, from 0 (left, top) to 1 (right, bottom)")
        .range(0.0, 1.0)
        .structural();
    info.parameter("format", &Crop::format, "format of the result").structural();
    info.output("result", &Crop::result, "the rectangle");
}

void Crop::build(Graph& graph) {
    const Extent whole = graph.extent(source);
    const glm::ivec2 low(texel_at(region[0], whole.width), texel_at(region[1], whole.height));
    const glm::ivec2 high(texel_at(region[2], whole.width), texel_at(region[3], whole.height));
    if (low.x >= high.x || low.y >= high.y) {
        graph.error("pass/out-of-range",
                    fmt::format("\"region\" has no texels: it reaches from ({}, {}) to ({}, {}) in "
                                "a picture of {}x{}",
                                low.x, low.y, high.x, high.y, whole.width, whole.height),
                    "write left and top first, then right and bottom");
        return;
    }
    const Extent extent{static_cast<std::uint32_t>(high.x - low.x),
                        static_cast<std::uint32_t>(high.y - low.y)};
    ComputeNodeBuilder node = graph.compute("image/crop");
    node.set("low", low);
    node.read("source", ImageView(source).mip(0));
    result = node.write(
        "result", graph.image("result", {.format = result_format(graph.desc(source).format, format),
                                         .extent = extent}));
    node.dispatch_over(extent);
}

TUFF_PASS(Crop)

} // namespace tuff::passes
