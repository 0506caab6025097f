#pragma once

#include "passes/fft/axis.hpp"
#include "passes/mpi/line_move.hpp"
#include "passes/mpi/messages.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Where the numbers of a `LineMove` lie in its buffer.
namespace tuff::passes {

/// An array of some places of lines along an axis.
struct LinePiece {
    CellSpan places{};
    std::uint32_t offset = 0; ///< numbers before it
    Cells size{};
};

/// Numbers of a buffer.
struct NumberSpan {
    std::uint64_t first = 0;
    std::uint64_t end = 0;
};

struct MoveLayout {
    /// What one kernel writes: what other ranks get, then what this one keeps.
    struct Written {
        NumberSpan span;
        std::vector<LinePiece> pieces; ///< counted from the beginning of the span
    };
    /// What one kernel reads: places of whole lines, all before `end`.
    struct Read {
        std::uint64_t end = 0;
        std::vector<LinePiece> pieces;
    };
    /// What travels together.
    struct Step {
        std::vector<NumberSpan> sent;
        NumberSpan filled;
        Messages messages; ///< counted from the beginning of these
    };

    std::vector<Written> written; ///< of each cut before the move, of each slab in it
    std::vector<Read> read;       ///< of each cut after the move, of each slab in it
    std::vector<Step> steps;
    std::uint64_t numbers = 0; ///< of the buffer
};

/// Spans begin where buffers may be bound, and follow each other.
inline constexpr std::uint64_t kSpanAlignment = 256 / kBytesOfComplex;
inline constexpr std::uint64_t kMaxMovePadding = 4 * kMaxSlabs * kMaxSlabs * kSpanAlignment;

MoveLayout layout_of(const LineMove& move);

/// Where lines along `axis` are in these pieces, if their lowest cell is `corner`. Lines are
/// counted as `line_counts` has it.
FftPlaces line_places(std::span<const LinePiece> pieces, std::size_t axis, const Cells& corner);

/// `FftAxis::inner` and `outer` of lines of a box.
struct LineCounts {
    std::uint64_t inner = 1;
    std::uint64_t outer = 1;
};
LineCounts line_counts(const Cells& box, std::size_t axis);

} // namespace tuff::passes
