#include "passes/fft/to_picture.hpp"

#include "passes/fft/array.hpp"

namespace tuff::passes {

void FftToPicture::describe(PassInfo<FftToPicture>& info) {
    info.summary("Shows an array of numbers, or a spectrum, as a picture")
        .details(
            "The picture has one channel of f32. Of half a spectrum, which \"fft/real_forward\" "
            "makes, the other half is its mirror image, conjugated. Centered, frequency 0 is at "
            "size / 2. The logarithm is log2(1 + magnitude), which shows spectra whose numbers "
            "differ by orders of magnitude.")
        .complexity("O(texels)")
        .cost([](const FftToPicture& pass, const Graph& graph) {
            const double texels = static_cast<double>(pass.size.x) * pass.size.y;
            const double bytes = static_cast<double>(graph.desc(pass.source).size);
            return Cost{.bytes = bytes + 4.0 * texels, .operations = 4.0 * texels};
        });
    info.input("source", &FftToPicture::source, "the numbers, row by row, x fastest")
        .elements_from("f32, or vec2 of complex numbers", [](const FftToPicture& pass) {
            return pass.numbers == PictureArray::reals ? BufferElements::of<float>()
                                                       : BufferElements::of<glm::vec2>();
        });
    info.parameter("size", &FftToPicture::size, "of the picture")
        .range(1, 16384)
        .unit("texels")
        .structural();
    info.parameter("numbers", &FftToPicture::numbers, "what the source holds").structural();
    info.parameter("show", &FftToPicture::show, "what a texel says of its number");
    info.parameter("centered", &FftToPicture::centered, "frequency 0 is in the middle");
    info.parameter("scale", &FftToPicture::scale, "what texels are multiplied by");
    info.output("result", &FftToPicture::result, "a picture of r32_sfloat");
}

void FftToPicture::build(Graph& graph) {
    const bool reals = numbers == PictureArray::reals;
    const std::uint32_t stored = numbers == PictureArray::half_spectrum ? size.x / 2 + 1 : size.x;
    if (!has_numbers(graph, "source", source, std::uint64_t{stored} * size.y, reals ? 4u : 8u))
        return;
    const Extent extent{size.x, size.y, 1};
    ComputeNodeBuilder node =
        graph.compute("fft/to_picture", {{"NUMBERS", reals ? "reals" : "complexes"}});
    node.read("source", source);
    node.set("stored", stored);
    node.set("centered", std::uint32_t(centered));
    node.set("show", static_cast<std::uint32_t>(show));
    node.set("scale", scale);
    result = node.write("result",
                        graph.image("picture", {.format = Format::r32_sfloat, .extent = extent}));
    node.dispatch_over(extent);
}

TUFF_PASS(FftToPicture)

} // namespace tuff::passes
