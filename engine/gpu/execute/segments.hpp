#pragma once

#include <tuff/plan.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace tuff {

/// The nodes of one level that one segment records, or all of them.
struct Piece {
    std::uint32_t level = 0;
    std::uint32_t first = 0; ///< into Plan::order
    std::uint32_t last = 0;  ///< exclusive
    bool begins = false;     ///< the level, so that what comes before its nodes is recorded too
    bool ends = false;       ///< the level, so that what comes after its nodes is recorded too
};

/// A stretch of a submission that has a command buffer to itself.
struct Segment {
    std::uint32_t submission = 0;
    std::uint32_t first_piece = 0; ///< into Segments::pieces
    std::uint32_t piece_count = 0;
    bool begins = false; ///< the submission
    bool ends = false;   ///< the submission
    /// Holds nodes that the host records: recorded again for every execution, on the caller's
    /// thread.
    bool custom = false;
};

/// A plan cut up for recording: submission by submission, and in each without gaps. Every
/// submission has at least one segment, and those of the host have none.
struct Segments {
    std::vector<Segment> segments;
    std::vector<Piece> pieces;

    std::span<const Piece> pieces_of(const Segment& segment) const {
        return std::span(pieces).subspan(segment.first_piece, segment.piece_count);
    }
};

/// Cuts `plan` into segments for `threads` threads. In large plans the nodes that the host records
/// get segments of their own, so that they do not make the others be recorded again.
Segments split_into_segments(const Plan& plan, std::uint32_t threads);

/// How many threads record `plan` where `wanted` (0: as many as pay off) are asked for.
std::uint32_t recording_threads(const Plan& plan, std::uint32_t wanted);

} // namespace tuff
