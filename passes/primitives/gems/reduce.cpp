#include "passes/primitives/gems/reduce.hpp"

#include "passes/common/picture.hpp"

namespace tuff::passes {
namespace {

/// As in primitives/gems/reduce_step.comp.
std::uint32_t combine_of(PyramidOperation operation) {
    switch (operation) {
    case PyramidOperation::min: return 1;
    case PyramidOperation::max: return 2;
    case PyramidOperation::sum:
    case PyramidOperation::mean: break;
    }
    return 0;
}

Extent halved(Extent extent) {
    return {.width = (extent.width + 1) / 2, .height = (extent.height + 1) / 2, .depth = 1};
}

} // namespace

void ReduceGems::describe(PassInfo<ReduceGems>& info) {
    info.summary("Reduces a picture to one number, four texels to one in each pass")
        .details("What tone mapping takes its scale from: the greatest luminance, or the mean of "
                 "its logarithm. Each pass halves width and height, rounded up; beyond an odd "
                 "edge there is nothing, so a mean is that of all texels. Luminance counts as at "
                 "least 1e-6 in \"log_luminance\"; channels below 0 and NaN count as 0, and above "
                 "65504 as that. A \"red\" that is NaN gives any result. For arrays, "
                 "and in two passes, primitives/reduce.")
        .source("Buck and Purcell, \"A Toolkit for Computation on GPUs\", GPU Gems, chapter 37, "
                "2004")
        .complexity("O(texels)")
        .cost([](const ReduceGems& pass, const Graph& graph) {
            return picture_cost(graph, pass.source, pass.result, 1.0);
        });
    info.input("source", &ReduceGems::source, "the picture").picture();
    info.parameter("operation", &ReduceGems::operation, "what combines the texels").structural();
    info.parameter("value", &ReduceGems::value, "of a texel: luminance, its logarithm, or red")
        .structural();
    info.output("result", &ReduceGems::result, "one texel of r32_sfloat");
}

void ReduceGems::build(Graph& graph) {
    result = source;
    const Extent whole = graph.extent(source);
    const double texels = static_cast<double>(whole.width) * whole.height;
    bool first = true;
    do {
        const Extent extent = halved(graph.extent(result));
        const bool last = extent.width == 1 && extent.height == 1;
        ComputeNodeBuilder node = graph.compute("primitives/gems_reduce_step", "reduce_step");
        node.specialize("combine_by", combine_of(operation));
        node.specialize("reads", first ? static_cast<std::uint32_t>(value) : 2u);
        const bool divides = last && operation == PyramidOperation::mean;
        node.set("scale", divides ? static_cast<float>(1.0 / texels) : 1.0f);
        node.read("source", result, Sampler::nearest());
        const ImageDesc desc{.format = Format::r32_sfloat, .extent = extent};
        result = node.write("result", graph.image("level", desc));
        node.dispatch_over(extent);
        first = false;
    } while (graph.extent(result).width > 1 || graph.extent(result).height > 1);
}

TUFF_PASS(ReduceGems)

} // namespace tuff::passes
