#include "passes/fft/from_picture.hpp"

#include <glm/vec4.hpp>

namespace tuff::passes {
namespace {

glm::vec4 weights_of(PictureNumber number, const FormatInfo& format) {
    switch (number) {
    case PictureNumber::red: return {1.0f, 0.0f, 0.0f, 0.0f};
    case PictureNumber::green: return {0.0f, 1.0f, 0.0f, 0.0f};
    case PictureNumber::blue: return {0.0f, 0.0f, 1.0f, 0.0f};
    case PictureNumber::alpha: return {0.0f, 0.0f, 0.0f, 1.0f};
    default: break;
    }
    // Of a grey picture the one channel; else by ITU-R BT.709.
    if (format.channels < 3) return {1.0f, 0.0f, 0.0f, 0.0f};
    return {0.2126f, 0.7152f, 0.0722f, 0.0f};
}

} // namespace

void FftFromPicture::describe(PassInfo<FftFromPicture>& info) {
    info.summary("Makes an array of numbers of a picture, for transforms")
        .details(
            "One number a texel, row by row from the top: what \"fft/real_forward\" takes with "
            "the picture's size. The luminance is by ITU-R BT.709, of pictures with less than "
            "three channels the first.")
        .complexity("O(texels)")
        .cost([](const FftFromPicture& pass, const Graph& graph) {
            const Extent extent = graph.extent(pass.source);
            const double texels = static_cast<double>(extent.width) * extent.height;
            const double bytes = tuff::info(graph.desc(pass.source).format).texel_bytes;
            return Cost{.bytes = texels * (bytes + 4.0), .operations = 7.0 * texels};
        });
    info.input("source", &FftFromPicture::source, "the picture").picture();
    info.parameter("number", &FftFromPicture::number, "which number of a texel");
    info.output("result", &FftFromPicture::result, "f32 a texel").elements<float>();
}

void FftFromPicture::build(Graph& graph) {
    const Extent extent = graph.extent(source);
    const std::uint64_t bytes = std::uint64_t{4} * extent.width * extent.height;
    ComputeNodeBuilder node = graph.compute("fft/from_picture");
    node.read("source", ImageView(source).mip(0));
    node.set("weights", weights_of(number, tuff::info(graph.desc(source).format)));
    result = node.write("result", graph.buffer("numbers", {.size = bytes, .stride = 4}));
    node.dispatch_over(extent);
}

TUFF_PASS(FftFromPicture)

} // namespace tuff::passes
