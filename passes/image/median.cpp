#include "passes/image/median.hpp"

#include <fmt/format.h>

namespace tuff::passes {

void Median::describe(PassInfo<Median>& info) {
    info.summary("Removes specks: each channel becomes the median of the window around the texel")
        .details("The median is exact: every result is one of the values read, so a result of the "
                 "source's format is not rounded. 3x3 runs the 19-exchange network for the median "
                 "of nine, 5x5 runs forgetful selection; both process all channels at once as "
                 "vectors. Alpha is copied. A window with NaN gives any of its values.")
        .source("Gaulin, \"GPU Computation with Cg: 2-D Filters and 3-D Convolution\", UNC "
                "Charlotte, 2004; J. L. Smith, \"Implementing median filters in XC4000E FPGAs\", "
                "Xcell 23, 1996 (network)")
        .complexity("O(texels): 38 minima and maxima a channel and texel for 3x3, about 300 for "
                    "5x5")
        .cost([](const Median& pass, const Graph& graph) {
            return picture_cost(graph, pass.source, pass.result,
                                4.0 * (pass.window == 3 ? 38.0 : 300.0));
        });
    info.input("source", &Median::source, "the image to filter").picture();
    info.parameter("window", &Median::window, "width and height of the window, 3 or 5")
        .range(3, 5)
        .unit("texels")
        .structural();
    info.parameter("border", &Median::border,
                   "beyond the edge: the nearest texel, zero, or the image mirrored");
    info.parameter("format", &Median::format, "format of the result").structural();
    info.output("result", &Median::result, "the filtered image, of the source's size");
}

void Median::build(Graph& graph) {
    if (window != 3 && window != 5) {
        graph.error("image/kernel-size", fmt::format("there is no median of {}x{}", window, window),
                    "use 3 or 5");
        return;
    }
    ComputeNodeBuilder node =
        graph.compute(window == 3 ? "image/median3" : "image/median5", "median");
    node.set("border", static_cast<std::int32_t>(border));
    node.read("source", ImageView(source).mip(0));
    result = node.write("result", image_like(graph, "result", source,
                                             result_format(graph.desc(source).format, format)));
    node.dispatch_over(graph.extent(source));
}

TUFF_PASS(Median)

} // namespace tuff::passes
