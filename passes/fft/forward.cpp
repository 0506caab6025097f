#include "passes/fft/forward.hpp"

#include "passes/fft/transform.hpp"

namespace tuff::passes {

void FftForward::describe(PassInfo<FftForward>& info) {
    info.summary("Computes the Fourier transform of complex numbers, along one to four axes")
        .details(
            "Number k of the result is the sum over j of number j of the source times exp(-2 pi i "
            "j k / n), along each axis in turn; frequency 0 comes first. A number is a pair of "
            "f32, the real part first; x is fastest. The relative error is about 2^-24 "
            "sqrt(log2(n)).\n\nAny size works. Lengths with the prime factors 2, 3, 5 and 7 are "
            "the fastest: lines of up to 4096 numbers along x (2048 along other axes) read and "
            "write memory once, lines of up to about a million numbers twice. Other lengths use "
            "Bluestein's convolution with a chirp, which takes about four times as long.\n\nWith "
            "\"source_size\" the source is smaller than the transform, as for a convolution that "
            "must not wrap around. Zeros follow it along each axis; they are neither stored nor "
            "read, and lines of zeros are not transformed.")
        .source("Govindaraju, Lloyd, Dotsenko, Smith and Manferdelli, \"High Performance Discrete "
                "Fourier Transforms on Graphics Processors\", SC 2008")
        .complexity("O(n log n)")
        .cost([](const FftForward& pass, const Graph& graph) {
            const double bytes = static_cast<double>(graph.desc(pass.result).size);
            return fft_cost(bytes, bytes, pass.size, pass.batch, pass.axes);
        });
    info.input("source", &FftForward::source, "complex numbers: pairs of f32, x fastest")
        .elements<glm::vec2>();
    describe_fft_array(info, "numbers along x, y, z and w; x = 0: all that the source holds");
    info.parameter("source_size", &FftForward::source_size,
                   "numbers of the source along each axis, followed by zeros; 0: as \"size\"")
        .structural();
    info.parameter(
            "scale", &FftForward::scale,
            "scale of the result: none, 1 / sqrt(n) (unitary) or 1 / n (by_count), n the numbers "
            "along the transformed axes")
        .structural();
    info.output("result", &FftForward::result, "the spectrum: complex numbers of \"size\"")
        .elements<glm::vec2>();
}

void FftForward::build(Graph& graph) {
    const std::uint64_t whole = graph.desc(source).size / sizeof(glm::vec2);
    const auto array = fft_array(graph, {size, batch, axes}, whole);
    if (!array) return;
    const auto extent = fft_part(graph, "source_size", source_size, array->size);
    if (!extent || !is_part_of_transformed(graph, "source_size", *array, *extent)) return;
    if (!has_numbers(graph, "source", source, *fft_count(*extent, batch), sizeof(glm::vec2)))
        return;
    result = forward_transform(graph, source, *array, *extent, scale_of(scale, *array));
}

TUFF_PASS(FftForward)

} // namespace tuff::passes
