#include "passes/fft/axis.hpp"

#include "passes/fft/lengths.hpp"
#include "passes/fft/smooth_axis.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

/// Bluestein's: a convolution with a chirp, by transforms of a length with small factors. The
/// second one is inverse, so real and imaginary parts are swapped on the way between the two and
/// behind it.
Buffer transform_by_chirp(Graph& graph, BufferView source, const FftAxis& axis,
                          const FftMultiplier& multiplier) {
    const std::uint32_t n = axis.length;
    const std::uint32_t padded = next_fft_length(2 * n - 1);
    if (axis.inner * axis.outer > kMaxFftNumbers / padded) {
        graph.error("fft/too-large",
                    fmt::format("lines of {} numbers have a prime factor above 7 and need {} "
                                "numbers of scratch memory; {} such lines are more than can be "
                                "addressed",
                                n, padded, axis.inner * axis.outer),
                    "choose a length whose only prime factors are 2, 3, 5 and 7");
        return {};
    }
    const FftTable factors = chirp(n);
    const auto inner = static_cast<std::uint32_t>(axis.inner);
    const FftPlaces between{.step = inner, .pitch = padded * inner};

    SmoothAxis there = smooth(axis, multiplier);
    there.length = padded;
    there.result_length = padded;
    there.result_places = between;
    there.load_factors = factors;
    there.store_factors = chirp_spectrum(n, padded);
    there.swap_result = true;
    there.scale = 1.0f;
    there.into = {};
    const Buffer spectrum = transform_smooth(graph, source, there);

    SmoothAxis back = smooth(axis, {});
    back.length = padded;
    back.source_length = padded;
    back.source_places = between;
    back.store_factors = factors;
    back.swap_source = false;
    back.swap_before_factors = true;
    return transform_smooth(graph, spectrum, back);
}

} // namespace

Buffer transform_axis(Graph& graph, BufferView source, const FftAxis& axis,
                      const FftMultiplier& multiplier) {
    if (has_small_factors(axis.length))
        return transform_smooth(graph, source, smooth(axis, multiplier));
    return transform_by_chirp(graph, source, axis, multiplier);
}

} // namespace tuff::passes
