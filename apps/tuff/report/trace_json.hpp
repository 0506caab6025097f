#pragma once

#include <tuff/timeline.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tuff::cli {

/// A frame, as the host went through it.
struct TracedFrame {
    HostTime begin = 0;
    HostTime end = 0;
};

/// What the executor holds from then on.
struct TracedMemory {
    HostTime at = 0;
    ExecutorMemory memory;
};

/// All that a trace shows.
struct TraceContents {
    std::string device;
    std::string driver;
    std::uint32_t in_flight = 1;     ///< frames that may be under way at once
    std::vector<TracedFrame> frames; ///< in order; each has one execution
    std::vector<HostSpan> spans;
    std::vector<TracedExecution> executions; ///< with their places on the host's clock
    ClockAlignment clocks;
    std::vector<TracedMemory> memory;
};

/// As JSON in Chrome's Trace Event Format. Two processes: the CPU, with what the host did, and the
/// device, with a row for each frame that may be under way, one for whole executions and one for
/// the nodes of each queue, and the memory as a counter. Times are microseconds from the first
/// event on.
std::string trace_json(TraceContents contents);

} // namespace tuff::cli
