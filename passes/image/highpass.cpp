#include "passes/image/highpass.hpp"

#include "passes/image/convolve.hpp"
#include "passes/image/kernel.hpp"

namespace tuff::passes {

void Highpass::describe(PassInfo<Highpass>& info) {
    info.summary("Keeps edges, texture and noise, and removes even areas")
        .details("Runs image/convolve with 8/9 in the center and -1/9 around it, so a constant "
                 "image gives 0. Formats without negative numbers clamp the negative half of the "
                 "result; a bias of 0.5 shows it around a middle grey. Alpha is copied.")
        .source("Gaulin, \"GPU Computation with Cg: 2-D Filters and 3-D Convolution\", UNC "
                "Charlotte, 2004")
        .complexity("O(texels)")
        .cost([](const Highpass& pass, const Graph& graph) {
            return picture_cost(graph, pass.source, pass.result, 8.0 * 9.0);
        });
    info.input("source", &Highpass::source, "the image to filter").picture();
    info.parameter("bias", &Highpass::bias,
                   "added to the result; 0.5 makes negative values visible");
    info.parameter("border", &Highpass::border,
                   "beyond the edge: the nearest texel, zero, or the image mirrored");
    info.parameter("format", &Highpass::format, "format of the result").structural();
    info.output("result", &Highpass::result, "the filtered image, of the source's size");
}

void Highpass::build(Graph& graph) {
    result = graph
                 .add(Convolve{.source = source,
                               .kernel = float_weights(highpass_kernel()),
                               .bias = bias,
                               .border = border,
                               .format = format})
                 .result;
}

TUFF_PASS(Highpass)

} // namespace tuff::passes
