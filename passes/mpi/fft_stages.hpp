#pragma once

#include "passes/mpi/fft_parts.hpp"
#include "passes/mpi/line_move.hpp"

#include <optional>
#include <vector>

/// The transforms of a field over ranks, axis by axis.
namespace tuff::passes {

/// What a rank has between two of them: its part, or slabs on their way.
struct StageNumbers {
    DividedArray array; ///< without numbers where there is a `move`
    std::optional<LineMove> move;
    std::vector<Buffer> slabs; ///< each as SlabLayout has it; not connected: empty
};

/// Along the axis of a stage, of what is divided as that has it. What `next` needs elsewhere leaves
/// in slabs if it can. Nothing where a transform was refused.
struct StageTransform {
    const FftStage& stage;
    const FftStage* next = nullptr; ///< null: this is the last
    FftDirection direction = FftDirection::forward;
    float scale = 1.0f;
    FftMultiplier multiplier; ///< not of numbers on their way
};
std::optional<StageNumbers> transform_stage(Graph& graph, const PlannedFft& fft,
                                            const StageTransform& transform,
                                            const StageNumbers& source);

/// Brings numbers of a field of `cells` cells to who needs them next, by messages.
StageNumbers arrived(Graph& graph, const StageNumbers& source, const Cells& cells,
                     const Division& division);

} // namespace tuff::passes
