#include "passes/image/resize.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

namespace tuff::passes {
namespace {

/// `side` texels scaled, rounded to whole ones, at least one.
std::uint32_t scaled(std::uint32_t side, double factor) {
    return static_cast<std::uint32_t>(std::max(std::round(side * factor), 1.0));
}

/// The size of the result. Nothing where the parameters do not say it.
std::optional<Extent> size_of(const Resize& pass, Extent from) {
    if ((pass.factor > 0.0f) == (pass.width > 0 || pass.height > 0)) return std::nullopt;
    if (pass.factor > 0.0f)
        return Extent{scaled(from.width, pass.factor), scaled(from.height, pass.factor)};
    const double x = static_cast<double>(pass.width) / from.width;
    const double y = static_cast<double>(pass.height) / from.height;
    return Extent{pass.width > 0 ? static_cast<std::uint32_t>(pass.width) : scaled(from.width, y),
                  pass.height > 0 ? static_cast<std::uint32_t>(pass.height)
                                  : scaled(from.height, x)};
}

} // namespace

void Resize::describe(PassInfo<Resize>& info) {
    info.summary("Scales an image to another size")
        .details("\"linear\" takes the weighted mean of the four nearest texels: it skips texels "
                 "when it scales to less than half. \"area\" takes the mean of all texels that a "
                 "texel of the result covers, for scaling down by any factor. If only one of width "
                 "and height is given, the other keeps the aspect. \"factor\" scales both sides, "
                 "each rounded to whole texels, at least one. The result has the source's format, "
                 "except that \"area\" gives rgba16_sfloat for sRGB formats.")
        .complexity("O(texels of the result); \"area\" O(texels of both)")
        .cost([](const Resize& pass, const Graph& graph) {
            return picture_cost(graph, pass.source, pass.result, 0.0);
        });
    info.input("source", &Resize::source, "the image to scale").picture();
    info.parameter("width", &Resize::width, "width of the result; 0: from the height")
        .range(0, kMaxSize)
        .unit("texels")
        .structural();
    info.parameter("height", &Resize::height, "height of the result; 0: from the width")
        .range(0, kMaxSize)
        .unit("texels")
        .structural();
    info.parameter("factor", &Resize::factor,
                   "factor of both sides, instead of width and height; 0: none")
        .range(0, kMaxFactor)
        .structural();
    info.parameter("filter", &Resize::filter, "how a texel of the result is computed").structural();
    info.output("result", &Resize::result, "the scaled image, of the source's format");
}

void Resize::build(Graph& graph) {
    const std::optional<Extent> size = size_of(*this, graph.extent(source));
    if (!size) {
        graph.error("pass/out-of-range",
                    factor > 0.0f ? "both a size and a factor are given"
                                  : "width, height and factor are 0",
                    "give a factor, or width, height or both");
        return;
    }
    const Extent to = *size;
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
