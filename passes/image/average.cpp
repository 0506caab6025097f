#include "passes/image/average.hpp"

#include "passes/image/convolve.hpp"
#include "passes/image/kernel.hpp"

#include <fmt/format.h>

namespace tuff::passes {

void Average::describe(PassInfo<Average>& info) {
    info.summary("Replaces each texel by the mean of the square window around it")
        .details("Runs image/convolve with equal weights that sum to 1; from 5x5 on it takes two "
                 "one-dimensional passes. Alpha is copied. An even window is an error.")
        .source("Gaulin, \"GPU Computation with Cg: 2-D Filters and 3-D Convolution\", UNC "
                "Charlotte, 2004")
        .complexity("O(texels * window)")
        .cost([](const Average& pass, const Graph& graph) {
            return picture_cost(graph, pass.source, pass.result, 16.0 * pass.window);
        });
    info.input("source", &Average::source, "the image to filter").picture();
    info.parameter("window", &Average::window, "width and height of the window, odd")
        .range(1, kMaxKernelSize)
        .unit("texels")
        .structural();
    info.parameter("border", &Average::border,
                   "beyond the edge: the nearest texel, zero, or the image mirrored");
    info.parameter("format", &Average::format, "format of the result").structural();
    info.output("result", &Average::result, "the filtered image, of the source's size");
}

void Average::build(Graph& graph) {
    if (window % 2 == 0) {
        graph.error("image/kernel-size",
                    fmt::format("a window of {}x{} has no centre texel", window, window),
                    "use an odd window");
        return;
    }
    result = graph
                 .add(Convolve{.source = source,
                               .kernel = float_weights(average_kernel(window)),
                               .width = window,
                               .height = window,
                               .border = border,
                               .format = format})
                 .result;
}

TUFF_PASS(Average)

} // namespace tuff::passes
