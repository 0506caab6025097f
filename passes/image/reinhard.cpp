#include "passes/image/reinhard.hpp"

#include "passes/primitives/gems/reduce.hpp"
#include "passes/primitives/reduce.hpp"

namespace tuff::passes {
namespace {

constexpr double kMinKey = 1e-3;
constexpr double kMaxKey = 100.0;
constexpr double kMaxReinhardWhite = 65504.0;

/// What is known of a whole picture, a word each.
struct Measured {
    Buffer log_average;
    Buffer maximum;
};

Measured by_reductions(Graph& graph, Image source) {
    const Extent extent = graph.extent(source);
    const std::uint64_t texels = std::uint64_t{extent.width} * extent.height;
    ComputeNodeBuilder node = graph.compute("image/luminances");
    node.read("source", ImageView(source).mip(0), Sampler::nearest());
    const auto values = [&](std::string_view name) {
        return graph.buffer(name, {.size = texels * 4, .stride = 4});
    };
    const Buffer luminances = node.write("luminances", values("luminances"));
    const Buffer logarithms = node.write("logarithms", values("logarithms"));
    node.dispatch_over(extent);
    return {.log_average = graph
                               .add(Reduce{.source = logarithms,
                                           .type = Element::f32,
                                           .operation = Reduction::mean},
                                    "log_average")
                               .result,
            .maximum = graph
                           .add(Reduce{.source = luminances,
                                       .type = Element::f32,
                                       .operation = Reduction::max},
                                "maximum")
                           .result};
}

Measured by_pyramids(Graph& graph, Image source) {
    const auto word = [&](PyramidOperation operation, PyramidValue value, std::string_view name) {
        const Image texel =
            graph.add(ReduceGems{.source = source, .operation = operation, .value = value}, name)
                .result;
        return graph.copy_to_buffer(texel, graph.buffer(name, {.size = 4, .stride = 4}), name);
    };
    return {.log_average = word(PyramidOperation::mean, PyramidValue::log_luminance, "log_average"),
            .maximum = word(PyramidOperation::max, PyramidValue::luminance, "maximum")};
}

} // namespace

void Reinhard::describe(PassInfo<Reinhard>& info) {
    info.summary("Tone-maps a picture by its own brightness, measured on the device")
        .details(
            "This is Reinhard's global operator. Luminance is scaled so that its logarithmic mean "
            "becomes \"key\"; then L becomes L (1 + L / white^2) / (1 + L), which maps \"white\" "
            "to 1. The ratios between the channels stay.\n\nMean and maximum of the whole picture "
            "are computed by reductions and never leave the device. Luminance counts as at least "
            "1e-6 in the mean. With \"reduce\", negative and NaN values count as 0 and values "
            "above 65504 as 65504; with \"pyramid\", the chapter's method, texels must be finite. "
            "A single very bright texel sets the white of the whole picture: set \"white\" to "
            "avoid that.")
        .source("Reinhard et al., \"Photographic tone reproduction for digital images\", SIGGRAPH "
                "2002, equations 1, 2 and 4; Buck and Purcell, \"A Toolkit for Computation on "
                "GPUs\", GPU Gems, chapter 37, 2004")
        .complexity("O(texels)")
        .cost([](const Reinhard& pass, const Graph& graph) -> Cost {
            const Cost mapped = picture_cost(graph, pass.source, pass.result, 60.0);
            if (!pass.source) return {};
            const Extent extent = graph.extent(pass.source);
            const double texels = static_cast<double>(extent.width) * extent.height;
            const auto bytes = tuff::info(graph.desc(pass.source).format).texel_bytes;
            return {.bytes = mapped.bytes + texels * bytes, .operations = mapped.operations};
        });
    info.input("source", &Reinhard::source, "scene-linear color, Rec. 709 primaries").picture();
    info.parameter("key", &Reinhard::key,
                   "value that the logarithmic mean is scaled to: 0.18 is middle grey")
        .range(kMinKey, kMaxKey);
    info.parameter("white", &Reinhard::white,
                   "scaled luminance that maps to 1; 0: the greatest of the picture")
        .range(0.0, kMaxReinhardWhite);
    info.parameter("measure", &Reinhard::measure, "how mean and maximum are computed").structural();
    info.parameter("encoding", &Reinhard::encoding, "sRGB transfer function, or none");
    info.parameter("format", &Reinhard::format, "format of the result").structural();
    info.output("result", &Reinhard::result, "the picture, in [0, 1], of the source's size");
    info.output("log_average", &Reinhard::log_average,
                "f32: the mean of the natural logarithms of the luminances")
        .elements<float>();
    info.output("maximum", &Reinhard::maximum, "f32: the greatest luminance").elements<float>();
}

void Reinhard::build(Graph& graph) {
    const Measured measured = measure == LuminanceMeasure::reduce ? by_reductions(graph, source)
                                                                  : by_pyramids(graph, source);
    log_average = measured.log_average;
    maximum = measured.maximum;

    ComputeNodeBuilder node = graph.compute("image/reinhard");
    node.read("source", ImageView(source).mip(0), Sampler::nearest());
    node.read("log_average", log_average);
    node.read("maximum", maximum);
    node.set("key", key);
    node.set("white", white);
    node.set("encode_srgb", std::uint32_t(encoding == OutputEncoding::srgb));
    result = node.write("result", image_like(graph, "result", source,
                                             result_format(graph.desc(source).format, format)));
    node.dispatch_over(graph.extent(source));
}

TUFF_PASS(Reinhard)

} // namespace tuff::passes
