#pragma once

#include "passes/fft/array.hpp"
#include "passes/fft/tables.hpp"

#include <tuff/graph.hpp>

#include <cstdint>
#include <optional>

/// Transforms along one axis of an array of complex numbers: what the passes of the module are made
/// of. From the outside in:
///
/// - transform.hpp: several axes, one after the other. A forward transform begins with x, so that
///   lines beyond the end of a smaller source are not there yet; an inverse one ends with x, so
///   that lines that are not wanted are there no more. A product belongs to the first axis of an
///   inverse transform.
/// - axis.hpp: one axis. Lengths with other factors than 2, 3, 5 and 7 are convolved with a chirp
///   (Bluestein), by two transforms of a length that has no others; real_axis.cpp transforms two
///   reals as one number.
/// - smooth_axis.hpp: one kernel where a group can keep a line in shared memory, 4096 numbers in
///   32 KiB; otherwise a few, each a step of Stockham's method with transforms of up to 1024
///   numbers for butterflies, so that nothing has to be transposed. What is read and written has
///   several lines side by side wherever a line is not contiguous itself.
/// - steps.hpp: the steps within a line, of radix 2 to 16 in registers, by
///   shaders/fft/steps.glsl.
///   Devices' own sines are good to three digits at times, so all roots of unity are tables
///   (tables.hpp).
///
/// real_lines.hpp: cosine, sine and Hartley transforms by the same steps.
namespace tuff::passes {

/// Numbers that the spectrum in front of an inverse transform is multiplied by.
struct FftMultiplier {
    Buffer numbers;          ///< not connected: nothing
    std::uint64_t count = 0; ///< after so many it begins again
    bool conjugate = false;
};

/// Where the numbers of lines are: that of place k of the axis, of line i of `inner` and o of
/// `outer`, is at first + k * step + o * pitch + i.
struct FftPlaces {
    std::uint32_t first = 0;
    std::uint32_t step = 1;
    std::uint32_t pitch = 1;
    /// For each place k a `first`, without `step`, and a `pitch`, if they are not those above.
    FftTable list;
};

/// What lies in an array before and behind the transform of an axis: `inner` numbers from one place
/// of the axis to the next, and `outer` axes.
struct FftAxis {
    std::uint64_t inner = 1;
    std::uint64_t outer = 1;
    std::uint32_t length = 1;
    std::uint32_t source_length = 1; ///< places that the source has; the others are 0
    std::uint32_t result_length = 1; ///< places that the result has; the others are not wanted
    FftDirection direction = FftDirection::forward;
    float scale = 1.0f; ///< of the result
    /// `inner` and `outer` of the array that this one is a part of: lines of a part go through the
    /// same kernels as those of the whole, and have its bits. 0: this is the whole.
    std::uint64_t whole_inner = 0;
    std::uint64_t whole_outer = 0;
    /// Only of complex numbers. Without them numbers follow each other.
    std::optional<FftPlaces> source_places;
    std::optional<FftPlaces> result_places;
    BufferView into; ///< what `result_places` are in
};

/// The transform along an axis. `source_length` and `result_length` are at most `length`.
Buffer transform_axis(Graph& graph, BufferView source, const FftAxis& axis,
                      const FftMultiplier& multiplier = {});

/// The transform of `axis.length` real numbers, `inner` being 1: forward into `axis.length / 2 + 1`
/// complex ones, and back. `source_length` counts the reals of a forward transform and
/// `result_length` those of an inverse one. The spectrum is whole.
Buffer transform_real_axis(Graph& graph, Buffer source, const FftAxis& axis,
                           const FftMultiplier& multiplier = {});

} // namespace tuff::passes
