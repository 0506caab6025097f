#include "passes/fft/real_forward.hpp"

#include "passes/fft/transform.hpp"

namespace tuff::passes {

void FftRealForward::describe(PassInfo<FftRealForward>& info) {
    info.summary("Computes the Fourier transform of real numbers, along one to four axes")
        .details(
            "The pass takes half the work and memory of \"fft/forward\". The spectrum of real "
            "numbers is its own conjugated mirror image, so only the frequencies from 0 to size.x "
            "/ 2 along x are stored: size.x / 2 + 1 complex numbers (rounded down). Even lengths "
            "along x are transformed as half as many complex numbers; odd lengths as complex "
            "numbers. x must be among \"axes\".\n\nWith \"source_size\" the source is smaller than "
            "the transform, as for a convolution that must not wrap around. Zeros follow it along "
            "each axis; they are neither stored nor read, and lines of zeros are not transformed.")
        .source("Sorensen, Jones, Heideman and Burrus, \"Real-valued fast Fourier transform "
                "algorithms\", IEEE Transactions on Acoustics, Speech, and Signal Processing, 1987")
        .complexity("O(n log n)")
        .cost([](const FftRealForward& pass, const Graph& graph) {
            const double bytes = static_cast<double>(graph.desc(pass.result).size);
            const double reals = static_cast<double>(graph.desc(pass.source).size);
            return halved_cost(fft_cost(reals, bytes, pass.size, pass.batch, pass.axes));
        });
    info.input("source", &FftRealForward::source, "f32, x fastest").elements<float>();
    describe_fft_array(info, "numbers along x, y, z and w; x = 0: all that the source holds");
    info.parameter("source_size", &FftRealForward::source_size,
                   "numbers of the source along each axis, followed by zeros; 0: as \"size\"")
        .structural();
    info.parameter(
            "scale", &FftRealForward::scale,
            "scale of the result: none, 1 / sqrt(n) (unitary) or 1 / n (by_count), n the numbers "
            "along the transformed axes")
        .structural();
    info.output("result", &FftRealForward::result,
                "half the spectrum: complex numbers, size.x / 2 + 1 along x")
        .elements<glm::vec2>();
}

void FftRealForward::build(Graph& graph) {
    const std::uint64_t whole = graph.desc(source).size / sizeof(float);
    const auto array = fft_array(graph, {size, batch, axes}, whole);
    if (!array || !is_along_x(graph, *array)) return;
    const auto extent = fft_part(graph, "source_size", source_size, array->size);
    if (!extent || !is_part_of_transformed(graph, "source_size", *array, *extent)) return;
    if (!has_numbers(graph, "source", source, *fft_count(*extent, batch), sizeof(float))) return;
    result = real_forward_transform(graph, source, *array, *extent, scale_of(scale, *array));
}

TUFF_PASS(FftRealForward)

} // namespace tuff::passes
