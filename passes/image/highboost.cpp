#include "passes/image/highboost.hpp"

#include "passes/image/convolve.hpp"
#include "passes/image/kernel.hpp"

namespace tuff::passes {

void Highboost::describe(PassInfo<Highboost>& info) {
    info.summary("Sharpens: the weighted image plus its high pass, limited to [0, 1]")
        .details("Computes clamp(weight * source + highpass(source)) as one 3x3 image/convolve. A "
                 "weight of 1 keeps the brightness; more raises it. Alpha is copied.")
        .source("Gaulin, \"GPU Computation with Cg: 2-D Filters and 3-D Convolution\", UNC "
                "Charlotte, 2004; of its two definitions the one in prose")
        .complexity("O(texels)")
        .cost([](const Highboost& pass, const Graph& graph) {
            return picture_cost(graph, pass.source, pass.result, 8.0 * 9.0);
        });
    info.input("source", &Highboost::source, "the image to sharpen").picture();
    info.parameter("weight", &Highboost::weight, "weight of the source in the sum")
        .range(0, kMaxWeight);
    info.parameter("border", &Highboost::border,
                   "beyond the edge: the nearest texel, zero, or the image mirrored");
    info.parameter("format", &Highboost::format, "format of the result").structural();
    info.output("result", &Highboost::result, "the sharpened image, of the source's size");
}

void Highboost::build(Graph& graph) {
    result = graph
                 .add(Convolve{.source = source,
                               .kernel = float_weights(highboost_kernel(weight)),
                               .border = border,
                               .clamp_result = true,
                               .format = format})
                 .result;
}

TUFF_PASS(Highboost)

} // namespace tuff::passes
