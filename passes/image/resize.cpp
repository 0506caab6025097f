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
        .details("One blit, in the source's format. \"linear\" takes the weighted mean of the four "
                 "nearest texels: scaling down to less than half skips texels, so blur first. "
                 "Where only one of width and height is given, the other keeps the aspect.")
        .complexity("O(texels of the result)")
        .cost([](const Resize& pass, const Graph& graph) {
            return picture_cost(graph, pass.source, pass.result, 0.0);
        });
    info.input("source", &Resize::source, "the image to scale");
    info.parameter("width", &Resize::width, "of the result; 0: from the height")
        .range(0, kMaxSize)
        .unit("texels")
        .structural();
    info.parameter("height", &Resize::height, "of the result; 0: from the width")
        .range(0, kMaxSize)
        .unit("texels")
        .structural();
    info.parameter("filter", &Resize::filter, "nearest texel or mean of the nearest four")
        .structural();
    info.output("result", &Resize::result, "the scaled image, of the source's format");
}

void Resize::build(Graph& graph) {
    if (!is_picture(graph, source, "source")) return;
    result = source; // what stands where a size is refused
    const bool valid = in_range(graph, "width", width, 0, kMaxSize) &&
                       in_range(graph, "height", height, 0, kMaxSize);
    if (!valid) return;
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
    const Image target = graph.image("result", {.format = graph.desc(source).format, .extent = to});
    result = graph.blit(ImageView(source).mip(0), target, filter, {}, "scale");
}

} // namespace tuff::passes
