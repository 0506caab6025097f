#include "passes/image/resize.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace tuff::passes {
namespace {

/// `side` texels scaled as `to` / `from`, at least one.
std::uint32_t scaled(std::uint32_t side, int to, std::uint32_t from) {
    const double length = std::round(static_cast<double>(side) * to / from);
    return static_cast<std::uint32_t>(std::max(length, 1.0));
}

} // namespace

void Resize::describe(PassInfo<Resize>& info) {
    info.summary("Scales an image to another size")
        .details("\"linear\" takes the weighted mean of the four nearest texels: scaling down to "
                 "less than half skips texels. \"area\" takes the mean of all that a texel of the "
                 "result covers, for scaling down by any factor. Where only one of width and "
                 "height is given, the other keeps the aspect. The result has the source's format; "
                 "with \"area\" rgba16_sfloat stands in for sRGB formats.")
        .complexity("O(texels of the result); \"area\" O(texels of both)")
        .cost([](const Resize& pass, const Graph& graph) {
            return picture_cost(graph, pass.source, pass.result, 0.0);
        });
    info.input("source", &Resize::source, "the image to scale").picture();
    info.parameter("width", &Resize::width, "of the result; 0: from the height")
        .range(0, kMaxSize)
        .unit("texels")
        .structural();
    info.parameter("height", &Resize::height, "of the result; 0: from the width")
        .range(0, kMaxSize)
        .unit("texels")
        .structural();
    info.parameter("filter", &Resize::filter, "what a texel of the result is made from")
        .structural();
    info.output("result", &Resize::result, "the scaled image, of the source's format");
}

void Resize::build(Graph& graph) {
    if (width == 0 && height == 0) {
        graph.error("pass/out-of-range", "both width and height are 0",
                    "give one of them, or both");
        return;
    }
    const Extent from = graph.extent(source);
    const Extent to{
        width > 0 ? static_cast<std::uint32_t>(width) : scaled(from.width, height, from.height),
        height > 0 ? static_cast<std::uint32_t>(height) : scaled(from.height, width, from.width)};
    if (!in_range(graph, "width", to.width, 1, kMaxSize) ||
        !in_range(graph, "height", to.height, 1, kMaxSize))
        return;
    const Format format = graph.desc(source).format;
    if (filter == ResizeFilter::area) {
        ComputeNodeBuilder node = graph.compute("image/resize_area");
        node.read("source", ImageView(source).mip(0));
        result = node.write(
            "result", graph.image("result", {.format = result_format(format, OutputFormat::same),
                                             .extent = to}));
        node.dispatch_over(to);
        return;
    }
    const Image target = graph.image("result", {.format = format, .extent = to});
    const Filter of_blit = filter == ResizeFilter::nearest ? Filter::nearest : Filter::linear;
    result = graph.blit(ImageView(source).mip(0), target, of_blit, {}, "scale");
}

TUFF_PASS(Resize)

} // namespace tuff::passes
