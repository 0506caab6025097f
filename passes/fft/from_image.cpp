#include "passes/fft/from_image.hpp"

#include "passes/fft/array.hpp"

#include <glm/vec4.hpp>

namespace tuff::passes {
namespace {

/// Of the one array of a number.
glm::vec4 weights_of(ImageNumber number, const FormatInfo& format) {
    switch (number) {
    case ImageNumber::red: return {1.0f, 0.0f, 0.0f, 0.0f};
    case ImageNumber::green: return {0.0f, 1.0f, 0.0f, 0.0f};
    case ImageNumber::blue: return {0.0f, 0.0f, 1.0f, 0.0f};
    case ImageNumber::alpha: return {0.0f, 0.0f, 0.0f, 1.0f};
    default: break;
    }
    // Of a grey picture the one channel; else by ITU-R BT.709.
    if (format.channels < 3) return {1.0f, 0.0f, 0.0f, 0.0f};
    return {0.2126f, 0.7152f, 0.0722f, 0.0f};
}

std::uint32_t arrays_of(ImageNumber number) {
    if (number == ImageNumber::rgb) return 3;
    return number == ImageNumber::rgba ? 4 : 1;
}

} // namespace

void FftFromImage::describe(PassInfo<FftFromImage>& info) {
    info.summary("Converts a picture or volume to arrays of numbers, for transforms and filters")
        .details(
            "Each texel gives one number, x fastest, then y from the top, then z: the input of "
            "\"fft/real_forward\" and \"filter/convolve\" with the image's size. \"rgb\" and "
            "\"rgba\" give three and four consecutive arrays, a \"batch\". The luminance is by "
            "ITU-R BT.709; for images with fewer than three channels it is the first channel. "
            "Missing colors are 0; a missing alpha is 1.")
        .complexity("O(texels)")
        .cost([](const FftFromImage& pass, const Graph& graph) {
            const Extent extent = graph.extent(pass.source);
            const double texels = static_cast<double>(extent.width) * extent.height * extent.depth;
            const double bytes = tuff::info(graph.desc(pass.source).format).texel_bytes;
            return Cost{.bytes = texels * (bytes + 4.0 * arrays_of(pass.number)),
                        .operations = 7.0 * texels};
        });
    info.input("source", &FftFromImage::source, "the picture or volume").picture_or_volume();
    info.parameter("number", &FftFromImage::number, "numbers of a texel to take").structural();
    info.output("result", &FftFromImage::result, "an f32 for each texel of each array")
        .elements<float>();
}

void FftFromImage::build(Graph& graph) {
    const ImageDesc desc = graph.desc(source); // a copy: the graph grows below
    const Extent extent = graph.extent(source);
    const bool volume = desc.shape == ImageShape::d3;
    const std::uint32_t arrays = arrays_of(number);
    const auto count = fft_count({extent.width, extent.height, extent.depth, 1}, arrays);
    if (!count) {
        graph.error("fft/too-large", "the image has more numbers than can be addressed",
                    "take one channel, or a part of the image");
        return;
    }
    ComputeNodeBuilder node =
        graph.compute("fft/from_image", {{"SHAPE", volume ? "volume" : "picture"}});
    node.read("source", ImageView(source).mip(0));
    node.set("weights", weights_of(number, tuff::info(desc.format)));
    node.set("arrays", arrays);
    result = node.write("result", graph.buffer("numbers", {.size = 4 * *count, .stride = 4}));
    node.dispatch_over(extent);
}

TUFF_PASS(FftFromImage)

} // namespace tuff::passes
