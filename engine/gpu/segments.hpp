#pragma once

#include <tuff/plan.hpp>

#include <cstdint>
#include <vector>

namespace tuff {

/// A stretch of a plan that has a command buffer to itself.
struct Segment {
    std::uint32_t first = 0; ///< into Plan::order
    std::uint32_t last = 0;  ///< exclusive
    /// Holds nodes that the host records: recorded anew for every execution, on the caller's
    /// thread.
    bool custom = false;
    friend bool operator==(const Segment&, const Segment&) = default;
};

/// Cuts `plan` into segments for `threads` threads, in order and without gaps; always at least one.
/// In large plans the nodes that the host records get segments of their own, so that they do not
/// make the others be recorded again.
std::vector<Segment> split_into_segments(const Plan& plan, std::uint32_t threads);

/// How many threads record `plan` where `wanted` (0: as many as pay off) are asked for.
std::uint32_t recording_threads(const Plan& plan, std::uint32_t wanted);

} // namespace tuff
