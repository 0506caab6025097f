#include "passes/image/tonemap.hpp"

#include <cmath>

namespace tuff::passes {
namespace {

constexpr double kMaxStops = 32.0;
constexpr double kMinWhite = 1e-3;
constexpr double kMaxTonemapWhite = 65504.0;

/// Just under one step of 8 bits: what 8 bits hold exactly is never pushed to a neighbour.
constexpr float kDitherAmplitude = 0.998f; // 8-bit steps

} // namespace

void Tonemap::describe(PassInfo<Tonemap>& info) {
    info.summary("Converts scene-linear color to a picture for a display")
        .details(
            "Multiplies by 2^exposure, applies the curve, limits to [0, 1] and encodes. "
            "\"reinhard\" maps luminance L to L / (1 + L); \"reinhard_extended\" to "
            "L (1 + L / white^2) / (1 + L), so that luminance \"white\" becomes 1; both keep the "
            "ratios between the channels. \"aces\" is a filmic curve that desaturates highlights. "
            "Negative and NaN values count as 0, values above 65504 as 65504. Alpha is limited to "
            "[0, 1] and otherwise copied. Dithering adds noise of under one 8-bit step, fixed per "
            "texel, against banding.")
        .source("Reinhard et al., \"Photographic tone reproduction for digital images\", SIGGRAPH "
                "2002; Hill's fit to the Academy Color Encoding System; IEC 61966-2-1 (sRGB)")
        .complexity("O(texels)")
        .cost([](const Tonemap& pass, const Graph& graph) {
            return picture_cost(graph, pass.source, pass.result, 80.0);
        });
    info.input("source", &Tonemap::source, "scene-linear color, Rec. 709 primaries").picture();
    info.parameter("exposure", &Tonemap::exposure, "doubles the brightness with each stop")
        .range(-kMaxStops, kMaxStops)
        .unit("stops");
    info.parameter("operator", &Tonemap::curve, "the curve");
    info.parameter("white", &Tonemap::white,
                   "luminance after exposure that maps to 1; \"reinhard_extended\" only")
        .range(kMinWhite, kMaxTonemapWhite);
    info.parameter("encoding", &Tonemap::encoding, "sRGB transfer function, or none");
    info.parameter("dither", &Tonemap::dither,
                   "hides banding in 8-bit results; has no effect on others");
    info.parameter("format", &Tonemap::format, "format of the result").structural();
    info.output("result", &Tonemap::result, "the picture, in [0, 1], of the source's size");
}

void Tonemap::build(Graph& graph) {
    ComputeNodeBuilder node = graph.compute("image/tonemap");
    node.set("scale", std::exp2(exposure));
    node.set("white", white);
    node.set("curve", static_cast<std::int32_t>(curve));
    node.set("encode_srgb", std::uint32_t(encoding == OutputEncoding::srgb));
    node.read("source", ImageView(source).mip(0));
    const Format stored = result_format(graph.desc(source).format, format);
    node.set("dither", dither && stored == Format::rgba8_unorm ? kDitherAmplitude : 0.0f);
    result = node.write("result", image_like(graph, "result", source, stored));
    node.dispatch_over(graph.extent(source));
}

TUFF_PASS(Tonemap)

} // namespace tuff::passes
