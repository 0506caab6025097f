#include "passes/fft/real_inverse.hpp"

#include "passes/fft/transform.hpp"

#include <algorithm>

namespace tuff::passes {

void FftRealInverse::describe(PassInfo<FftRealInverse>& info) {
    info.summary("Computes real numbers from their half spectrum, or from the product of two")
        .details(
            "Undoes \"fft/real_forward\": the source has size.x / 2 + 1 complex numbers along x, "
            "the result size.x real numbers. Imaginary parts that would make the result complex "
            "are ignored.\n\nA \"multiplier\" is multiplied with the source as it is read, so a "
            "convolution needs no extra pass between the two transforms: the multiplier is the "
            "half spectrum of the other array. With \"conjugate\" it is a correlation. A "
            "multiplier for one array serves all arrays of a batch. With \"result_size\" only the "
            "first numbers along each axis are computed and stored.")
        .source("Sorensen, Jones, Heideman and Burrus, \"Real-valued fast Fourier transform "
                "algorithms\", IEEE Transactions on Acoustics, Speech, and Signal Processing, 1987")
        .complexity("O(n log n)")
        .cost([](const FftRealInverse& pass, const Graph& graph) {
            const double bytes = static_cast<double>(graph.desc(pass.source).size);
            const double reals = static_cast<double>(graph.desc(pass.result).size);
            const double factors =
                pass.multiplier ? static_cast<double>(graph.desc(pass.multiplier).size) : 0.0;
            return halved_cost(fft_cost(bytes + factors, reals, pass.size, pass.batch, pass.axes));
        });
    info.input("source", &FftRealInverse::source,
               "half the spectrum: pairs of f32, size.x / 2 + 1 along x, which is fastest")
        .elements<glm::vec2>();
    info.optional_input("multiplier", &FftRealInverse::multiplier,
                        "complex numbers to multiply the source by: as many as one array has, or "
                        "all arrays")
        .elements<glm::vec2>();
    describe_fft_array(info,
                       "numbers of the result along x, y, z and w; x = 0: 2 (n - 1) for n numbers "
                       "in the source");
    info.parameter("result_size", &FftRealInverse::result_size,
                   "numbers of the result along each axis, from the first; 0: as \"size\"")
        .structural();
    info.parameter(
            "scale", &FftRealInverse::scale,
            "scale of the result: none, 1 / sqrt(n) (unitary) or 1 / n (by_count), n the numbers "
            "along the transformed axes")
        .structural();
    info.parameter("conjugate", &FftRealInverse::conjugate,
                   "multiply by the conjugate of the multiplier")
        .structural();
    info.output("result", &FftRealInverse::result, "f32, of \"result_size\"").elements<float>();
}

void FftRealInverse::build(Graph& graph) {
    // As if the length was even, which the spectrum does not tell.
    const std::uint64_t others = std::uint64_t{size.y} * size.z * size.w * batch;
    const std::uint64_t half =
        graph.desc(source).size / sizeof(glm::vec2) / std::max<std::uint64_t>(others, 1);
    const std::uint64_t whole = half > 1 ? 2 * (half - 1) : half;
    const auto array = fft_array(graph, {size, batch, axes}, whole * others);
    if (!array || !is_along_x(graph, *array)) return;
    const auto extent = fft_part(graph, "result_size", result_size, array->size);
    if (!extent || !is_part_of_transformed(graph, "result_size", *array, *extent)) return;
    const std::uint64_t numbers = *fft_count(half_of(array->size), 1);
    if (!has_numbers(graph, "source", source, numbers * batch, sizeof(glm::vec2))) return;
    const auto factors = fft_multiplier(graph, multiplier, numbers, batch, conjugate);
    if (!factors) return;
    result =
        real_inverse_transform(graph, source, *array, *extent, scale_of(scale, *array), *factors);
}

TUFF_PASS(FftRealInverse)

} // namespace tuff::passes
