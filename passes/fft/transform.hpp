#pragma once

#include "passes/fft/axis.hpp"

/// Transforms along several axes, one after the other: the first ones from x on, for lines that
/// the source has no numbers of are not transformed; inverse ones in the opposite order, for no
/// more lines are transformed than the result has.
namespace tuff::passes {

using FftExtent = std::array<std::uint32_t, 4>;

/// Of complex numbers; `source_extent` is what the source has.
Buffer forward_transform(Graph& graph, Buffer source, const FftArray& array,
                         const FftExtent& source_extent, float scale);
/// `result_extent`: what is wanted.
Buffer inverse_transform(Graph& graph, Buffer source, const FftArray& array,
                         const FftExtent& result_extent, float scale,
                         const FftMultiplier& multiplier);

/// Of real numbers: the spectrum has `half_of(array.size)`. The array is transformed along x.
Buffer real_forward_transform(Graph& graph, Buffer source, const FftArray& array,
                              const FftExtent& source_extent, float scale);
Buffer real_inverse_transform(Graph& graph, Buffer source, const FftArray& array,
                              const FftExtent& result_extent, float scale,
                              const FftMultiplier& multiplier);

/// The numbers of the spectrum of real ones: x / 2 + 1 along x.
FftExtent half_of(FftExtent size);

/// Reports fft/extent where a part differs from the whole along an axis that is not transformed.
bool is_part_of_transformed(Graph& graph, std::string_view parameter, const FftArray& array,
                            const FftExtent& part);

/// Reports fft/axes where x is not transformed: of real numbers it is.
bool is_along_x(Graph& graph, const FftArray& array);

/// What a pass is to multiply by: `count` numbers for all arrays or for each. Reports, and returns
/// nothing: fft/too-short.
std::optional<FftMultiplier> fft_multiplier(Graph& graph, Buffer numbers, std::uint64_t count,
                                            std::uint64_t batch, bool conjugate);

} // namespace tuff::passes
