#pragma once

#include "passes/fft/axis.hpp"
#include "passes/mpi/fft_parts.hpp"

#include <optional>
#include <span>

/// The transforms of a field over ranks, axis by axis.
namespace tuff::passes {

/// Along the axis of a stage.
struct StageTransform {
    const FftStage* stage = nullptr;
    FftDirection direction = FftDirection::forward;
    float scale = 1.0f;
    FftMultiplier multiplier; ///< of the first one alone

    bool is_forward() const { return direction == FftDirection::forward; }
    const Cells& before() const { return is_forward() ? stage->before : stage->after; }
    const Cells& after() const { return is_forward() ? stage->after : stage->before; }
};

/// One after the other, with the numbers moved to the ranks that need them in between. Nothing
/// where a transform was refused.
std::optional<DividedArray> transform_stages(Graph& graph, const PlannedFft& fft,
                                             std::span<const StageTransform> transforms,
                                             DividedArray source);

} // namespace tuff::passes
