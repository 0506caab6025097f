#include "passes/fft/inverse.hpp"

#include "passes/fft/transform.hpp"

namespace tuff::passes {

void FftInverse::describe(PassInfo<FftInverse>& info) {
    info.summary("Computes the inverse Fourier transform of complex numbers, or of the product of "
                 "two arrays")
        .details(
            "Number j of the result is the sum over k of number k of the source times exp(+2 pi i "
            "j k / n), along each axis in turn, times the scale; with 1 / n, the default, it "
            "undoes \"fft/forward\". Sizes and speed are the same.\n\nA \"multiplier\" is "
            "multiplied with the source as it is read, so a convolution needs no extra pass "
            "between the two transforms: the multiplier is the spectrum of the other array. With "
            "\"conjugate\" it is a correlation. A multiplier for one array serves all arrays of a "
            "batch. With \"result_size\" only the first numbers along each axis are computed and "
            "stored.")
        .source("Govindaraju, Lloyd, Dotsenko, Smith and Manferdelli, \"High Performance Discrete "
                "Fourier Transforms on Graphics Processors\", SC 2008")
        .complexity("O(n log n)")
        .cost([](const FftInverse& pass, const Graph& graph) {
            const double bytes = static_cast<double>(graph.desc(pass.result).size);
            const double factors =
                pass.multiplier ? static_cast<double>(graph.desc(pass.multiplier).size) : 0.0;
            return fft_cost(bytes + factors, bytes, pass.size, pass.batch, pass.axes);
        });
    info.input("source", &FftInverse::source, "the spectrum: pairs of f32, x fastest")
        .elements<glm::vec2>();
    info.optional_input("multiplier", &FftInverse::multiplier,
                        "complex numbers to multiply the source by: as many as one array has, or "
                        "all arrays")
        .elements<glm::vec2>();
    describe_fft_array(info, "numbers along x, y, z and w; x = 0: all that the source holds");
    info.parameter("result_size", &FftInverse::result_size,
                   "numbers of the result along each axis, from the first; 0: as \"size\"")
        .structural();
    info.parameter(
            "scale", &FftInverse::scale,
            "scale of the result: none, 1 / sqrt(n) (unitary) or 1 / n (by_count), n the numbers "
            "along the transformed axes")
        .structural();
    info.parameter("conjugate", &FftInverse::conjugate,
                   "multiply by the conjugate of the multiplier")
        .structural();
    info.output("result", &FftInverse::result, "complex numbers of \"result_size\"")
        .elements<glm::vec2>();
}

void FftInverse::build(Graph& graph) {
    const std::uint64_t whole = graph.desc(source).size / sizeof(glm::vec2);
    const auto array = fft_array(graph, {size, batch, axes}, whole);
    if (!array) return;
    const auto extent = fft_part(graph, "result_size", result_size, array->size);
    if (!extent || !is_part_of_transformed(graph, "result_size", *array, *extent)) return;
    if (!has_numbers(graph, "source", source, *fft_count(array->size, batch), sizeof(glm::vec2)))
        return;
    const auto factors =
        fft_multiplier(graph, multiplier, *fft_count(array->size, 1), batch, conjugate);
    if (!factors) return;
    result = inverse_transform(graph, source, *array, *extent, scale_of(scale, *array), *factors);
}

TUFF_PASS(FftInverse)

} // namespace tuff::passes
