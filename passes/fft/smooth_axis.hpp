#pragma once

#include "passes/fft/axis.hpp"
#include "passes/fft/tables.hpp"

/// Transforms whose lengths have small factors: the kernels of shaders/fft/lines.comp.
namespace tuff::passes {

/// The transform of axes whose length has small factors, and what is done on the way.
struct SmoothAxis {
    std::uint64_t inner = 1;
    std::uint64_t outer = 1;
    std::uint64_t whole_inner = 1; ///< of the array that this one is a part of: see FftAxis
    std::uint64_t whole_outer = 1;
    std::uint32_t length = 1;
    std::uint32_t source_length = 1;
    std::uint32_t result_length = 1;
    FftPlaces source_places;
    FftPlaces result_places;
    BufferView into; ///< not connected: there is a new buffer
    FftMultiplier multiplier;
    FftTable load_factors;
    FftTable store_factors;
    bool swap_source = false;
    bool swap_before_factors = false;
    bool swap_result = false;
    bool join_reals = false;
    bool split_reals = false;
    float scale = 1.0f;
};

/// What `axis` asks for.
SmoothAxis smooth(const FftAxis& axis, const FftMultiplier& multiplier);

Buffer transform_smooth(Graph& graph, BufferView source, const SmoothAxis& axis);

/// Of lines of real numbers in pairs, `axis.length` of them, into half a spectrum and back. They
/// are no longer than `kMaxFftLine` and `inner` is 1.
Buffer transform_pairs(Graph& graph, Buffer source, const FftAxis& axis,
                       const FftMultiplier& multiplier);

} // namespace tuff::passes
