#include "passes/image/grayscale.hpp"

#include <fmt/format.h>

namespace tuff::passes {

void Grayscale::describe(PassInfo<Grayscale>& info) {
    info.summary("Replaces red, green and blue by their mean or their luminance")
        .details("The pass works on the values as stored: for sRGB-encoded 8-bit images the Rec. "
                 "709 weights give luma. Alpha is copied. Images with fewer than three channels "
                 "are an error.")
        .source("Gaulin, \"GPU Computation with Cg: 2-D Filters and 3-D Convolution\", UNC "
                "Charlotte, 2004 (mean); ITU-R BT.709-6 (luminance)")
        .complexity("O(texels)")
        .cost([](const Grayscale& pass, const Graph& graph) {
            return picture_cost(graph, pass.source, pass.result, 5.0);
        });
    info.input("source", &Grayscale::source, "the image to convert").picture();
    info.parameter("weights", &Grayscale::weights, "how the channels are weighted");
    info.parameter("format", &Grayscale::format, "format of the result").structural();
    info.output("result", &Grayscale::result, "grey in red, green and blue; of the source's size");
}

void Grayscale::build(Graph& graph) {
    const FormatInfo& from = tuff::info(graph.desc(source).format);
    if (from.channels < 3) {
        graph.error(
            "image/unsupported-format",
            fmt::format("input \"source\" has format {}, which has no green and blue", from.name),
            "the image is grey already: use it as it is");
        return;
    }
    ComputeNodeBuilder node = graph.compute("image/grayscale");
    node.set("weights", weights == GrayWeights::mean ? glm::vec3(1.0f / 3.0f)
                                                     : glm::vec3(0.2126f, 0.7152f, 0.0722f));
    node.read("source", ImageView(source).mip(0));
    result = node.write("result",
                        image_like(graph, "result", source, result_format(from.format, format)));
    node.dispatch_over(graph.extent(source));
}

TUFF_PASS(Grayscale)

} // namespace tuff::passes
