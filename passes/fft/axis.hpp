#pragma once

#include "passes/fft/array.hpp"

#include <tuff/graph.hpp>

#include <cstdint>

/// Transforms along one axis of an array of complex numbers: what the passes of the module are made
/// of.
namespace tuff::passes {

/// Numbers that the spectrum in front of an inverse transform is multiplied by.
struct FftMultiplier {
    Buffer numbers;          ///< not connected: nothing
    std::uint64_t count = 0; ///< after so many it begins again
    bool conjugate = false;
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
};

/// The transform along an axis. `source_length` and `result_length` are at most `length`.
Buffer transform_axis(Graph& graph, Buffer source, const FftAxis& axis,
                      const FftMultiplier& multiplier = {});

/// The transform of `axis.length` real numbers, `inner` being 1: forward into `axis.length / 2 + 1`
/// complex ones, and back. `source_length` counts the reals of a forward transform and
/// `result_length` those of an inverse one. The spectrum is whole.
Buffer transform_real_axis(Graph& graph, Buffer source, const FftAxis& axis,
                           const FftMultiplier& multiplier = {});

} // namespace tuff::passes
