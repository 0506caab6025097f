#include "passes/fft/to_image.hpp"

#include "passes/fft/array.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

/// There is no storage format of three channels.
Format format_of(std::uint32_t channels) {
    if (channels == 1) return Format::r32_sfloat;
    return channels == 2 ? Format::rg32_sfloat : Format::rgba32_sfloat;
}

/// Reports fft/slice where the array has no such slice.
bool has_slice(Graph& graph, char axis, std::uint32_t slice, std::uint32_t slices) {
    if (slice < slices) return true;
    graph.error("fft/slice", fmt::format("slice {} along {} of {}", slice, axis, slices),
                "count slices from 0");
    return false;
}

} // namespace

void FftToImage::describe(PassInfo<FftToImage>& info) {
    info.summary("Shows arrays of numbers, or spectra, as a picture or volume")
        .details(
            "The image has one, two or four channels of f32. Consecutive arrays become its "
            "channels; three arrays get an alpha of 1. A picture shows one slice of an array with "
            "three or four axes, a volume one slice of an array with four. A half spectrum of "
            "\"fft/real_forward\" is completed by its conjugated mirror image. Centered, frequency "
            "0 is at size / 2 along each axis. The logarithm is log2(1 + magnitude), which shows "
            "spectra whose numbers differ by orders of magnitude.")
        .complexity("O(texels)")
        .cost([](const FftToImage& pass, const Graph& graph) {
            const Extent extent = graph.extent(pass.result);
            const double numbers =
                static_cast<double>(extent.width) * extent.height * extent.depth * pass.channels;
            const double bytes = pass.numbers == ImageArray::reals ? 8.0 : 12.0;
            return Cost{.bytes = bytes * numbers, .operations = 4.0 * numbers};
        });
    info.input("source", &FftToImage::source, "the numbers, x fastest")
        .elements_from("f32, or vec2 for complex numbers", [](const FftToImage& pass) {
            return pass.numbers == ImageArray::reals ? BufferElements::of<float>()
                                                     : BufferElements::of<glm::vec2>();
        });
    info.parameter("size", &FftToImage::size, "numbers of an array along x, y, z and w")
        .range(1, 16384)
        .structural();
    info.parameter("shape", &FftToImage::shape, "picture: x and y; volume: x, y and z")
        .structural();
    info.parameter("slice", &FftToImage::slice,
                   "index of the slice along z (pictures) and along w, from 0")
        .structural();
    info.parameter("channels", &FftToImage::channels, "number of arrays that become channels")
        .range(1, 4)
        .structural();
    info.parameter("first", &FftToImage::first, "index of the first channel's array, from 0")
        .structural();
    info.parameter("numbers", &FftToImage::numbers, "kind of numbers in the source").structural();
    info.parameter("show", &FftToImage::show, "what a texel shows of its number");
    info.parameter("centered", &FftToImage::centered, "puts frequency 0 in the middle");
    info.parameter("scale", &FftToImage::scale, "factor of the texels, except for an alpha of 1");
    info.output("result", &FftToImage::result,
                "r32_sfloat, rg32_sfloat or rgba32_sfloat by the number of channels");
}

void FftToImage::build(Graph& graph) {
    const bool reals = numbers == ImageArray::reals;
    const bool volume = shape == ImageAxes::volume;
    const std::uint32_t stored = numbers == ImageArray::half_spectrum ? size.x / 2 + 1 : size.x;
    const auto count = fft_count({stored, size.y, size.z, size.w}, std::uint64_t{first} + channels);
    if (!count) {
        graph.error("fft/too-large", "\"size\" has more numbers than can be addressed",
                    "show a part of the array");
        return;
    }
    if (!has_numbers(graph, "source", source, *count, reals ? 4u : 8u)) return;
    if (!volume && !has_slice(graph, 'z', slice.x, size.z)) return;
    if (!has_slice(graph, 'w', slice.y, size.w)) return;

    const Extent extent{size.x, size.y, volume ? size.z : 1};
    ComputeNodeBuilder node =
        graph.compute("fft/to_image", {{"NUMBERS", reals ? "reals" : "complexes"},
                                       {"SHAPE", volume ? "volume" : "picture"}});
    node.read("source", source);
    node.set("size", size);
    node.set("slice", slice);
    node.set("stored", stored);
    node.set("channels", channels);
    node.set("first", first);
    node.set("centered", std::uint32_t(centered));
    node.set("show", static_cast<std::uint32_t>(show));
    node.set("scale", scale);
    result = node.write("result",
                        graph.image("image", {.format = format_of(channels),
                                              .extent = extent,
                                              .shape = volume ? ImageShape::d3 : ImageShape::d2}));
    node.dispatch_over(extent);
}

TUFF_PASS(FftToImage)

} // namespace tuff::passes
