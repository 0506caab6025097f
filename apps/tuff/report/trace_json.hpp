#pragma once

#include "apps/tuff/ranks/rank_clock.hpp"

#include <tuff/timeline.hpp>

#include <json/value.h>

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

/// The process that a trace is of.
struct TracedProcess {
    std::int32_t rank = 0;
    std::string name; ///< "rank 1 on node7"; empty: it is alone
    RankClock clock;  ///< of that rank
};

/// What one process adds to a trace: its events, on the clock of rank 0, and facts about it.
Json::Value trace_of(TraceContents contents, const TracedProcess& process);

/// Traces of all ranks as one, in JSON of Chrome's Trace Event Format, sorted by time. Each has two
/// processes: the CPU, with what the host did, and the device, with a row for each frame that may
/// be under way, one for whole executions and one for the nodes of each queue, the host's nodes
/// among them, and the memory as a counter. Times are microseconds from the first event on.
std::string trace_json(std::vector<Json::Value> ranks);

} // namespace tuff::cli
