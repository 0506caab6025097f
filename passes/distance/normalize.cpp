#include "passes/distance/normalize.hpp"

#include "passes/common/picture.hpp"

#include <fmt/format.h>

#include <utility>

namespace tuff::passes {
namespace {

/// What `field` has to offer.
enum class FieldKind : std::uint8_t { outside_alone, both_sides, signed_distance, other };

FieldKind kind_of(Format format) {
    const FormatInfo& texel = info(format);
    if (texel.kind == NumericKind::uint && !texel.stencil && texel.channels <= 2)
        return texel.channels == 1 ? FieldKind::outside_alone : FieldKind::both_sides;
    const bool real = texel.kind == NumericKind::sfloat && !texel.depth && texel.channels == 1;
    return real ? FieldKind::signed_distance : FieldKind::other;
}

bool refuse(Graph& graph, std::string code, std::string message, std::string hint) {
    graph.error(std::move(code), std::move(message), std::move(hint));
    return false;
}

bool is_flat_or_volume(Graph& graph, Image image, std::string_view port) {
    const ImageDesc desc = graph.desc(image);
    const bool shape = desc.shape == ImageShape::d2 || desc.shape == ImageShape::d3;
    if (shape && desc.layers == 1 && desc.samples == 1) return true;
    return refuse(graph, "image/not-two-dimensional",
                  fmt::format("input \"{}\" has layers, faces or samples", port),
                  "connect a "
                  "single layer");
}

bool has_both_sides(Graph& graph, const NormalizeDistance& pass) {
    const ImageDesc field = graph.desc(pass.field);
    if (!is_flat_or_volume(graph, pass.field, "field")) return false;
    const FieldKind kind = kind_of(field.format);
    if (kind == FieldKind::other)
        return refuse(graph, "distance/field-format",
                      fmt::format("input \"field\" has format {}", info(field.format).name),
                      "connect squared distances as integers, or signed distances as floats");
    if ((kind == FieldKind::outside_alone) != bool(pass.inside))
        return refuse(graph, "distance/one-side",
                      pass.inside ? "input \"field\" has the distances of both sides, but "
                                    "\"inside\" is connected"
                                  : "input \"field\" has only the distances outside of objects",
                      "connect distances to the background to \"inside\" if \"field\" has one "
                      "channel of integers, and only then");
    if (!pass.inside) return true;
    if (!is_flat_or_volume(graph, pass.inside, "inside")) return false;
    const Format inside = graph.desc(pass.inside).format;
    if (kind_of(inside) != FieldKind::outside_alone)
        return refuse(graph, "distance/field-format",
                      fmt::format("input \"inside\" has format {}", info(inside).name),
                      "connect one channel of integers");
    if (field.shape != graph.desc(pass.inside).shape)
        return refuse(graph, "distance/one-side",
                      "one of \"field\" and \"inside\" is a picture, the other a volume",
                      "compute both from the same seed");
    return same_size(graph, pass.field, "field", pass.inside, "inside");
}

} // namespace

void NormalizeDistance::describe(PassInfo<NormalizeDistance>& info) {
    info.summary("Scales distances to numbers around 0.5, which samplers can filter")
        .details(
            "The result is 0.5 + scale * (sqrt(R) - sqrt(G)), with R the squared distance to the "
            "nearest object and G to the nearest background texel: 0.5 is the contour, and objects "
            "are below 0.5. \"field\" is R and \"inside\" is G; or \"field\" has both as two "
            "channels; or \"field\" comes from distance/signed and is sqrt(R) - sqrt(G) itself. "
            "With \"half_pixel\" the contour lies halfway between the texels of both sides; signed "
            "distances are used unchanged. r8_unorm holds distances of up to 0.5/scale texels in "
            "steps of 1/(255 scale) and is flat beyond; r16_sfloat has no such limit. 2^31 - 1, "
            "which stands for no object or no background, is a distance of 46,341 texels.")
        .source("Rideout, \"2D Distance Field Generation with the GPU\", OpenGL Insights, 2012")
        .complexity("O(texels)")
        .cost([](const NormalizeDistance& pass, const Graph& graph) -> Cost {
            if (!pass.field || !pass.result) return {};
            const ImageDesc& desc = graph.desc(pass.result);
            const double texels =
                static_cast<double>(desc.extent.width) * desc.extent.height * desc.extent.depth;
            double bytes = 0.0;
            for (const Image image : {pass.field, pass.inside, pass.result})
                if (image) bytes += tuff::info(graph.desc(image).format).texel_bytes;
            return {.bytes = bytes * texels, .operations = 8.0 * texels};
        });
    info.input("field", &NormalizeDistance::field,
               "squared distances to objects, or of both sides in two channels, or signed "
               "distances");
    info.optional_input("inside", &NormalizeDistance::inside,
                        "squared distances to the background, if \"field\" has one channel");
    info.parameter("scale", &NormalizeDistance::scale,
                   "scale of a texel: with 1/32, 16 texels become 0.5")
        .range(0.0, 1.0, RangeEnds::open_low);
    info.parameter("half_pixel", &NormalizeDistance::half_pixel,
                   "puts the contour between the texels of both sides");
    info.parameter("squared", &NormalizeDistance::squared,
                   "integers are squared distances; false: plain distances, as from "
                   "distance/grassfire");
    info.parameter("storage", &NormalizeDistance::storage, "format of the result").structural();
    info.output("result", &NormalizeDistance::result, "the scaled distances, of the field's size");
}

void NormalizeDistance::build(Graph& graph) {
    if (!has_both_sides(graph, *this)) return;
    const ImageDesc& desc = graph.desc(field);
    const FieldKind kind = kind_of(desc.format);
    ComputeNodeBuilder node =
        graph.compute("distance/normalize", {{"VOLUME", desc.shape == ImageShape::d3},
                                             {"SIGNED", kind == FieldKind::signed_distance}});
    node.set("scale", scale);
    if (kind != FieldKind::signed_distance) {
        node.set("shift", half_pixel ? 0.5f : 0.0f);
        node.set("two_channels", std::uint32_t(kind == FieldKind::both_sides));
        node.set("squared", std::uint32_t(squared));
        node.read("inside", ImageView(inside ? inside : field).mip(0), Sampler::nearest());
    }
    node.read("field", ImageView(field).mip(0), Sampler::nearest());
    const Format format =
        storage == NormalizedStorage::r8_unorm ? Format::r8_unorm : Format::r16_sfloat;
    result = node.write(
        "result",
        graph.image("result", {.format = format, .extent = desc.extent, .shape = desc.shape}));
    node.dispatch_over(desc.extent);
}

TUFF_PASS(NormalizeDistance)

} // namespace tuff::passes
