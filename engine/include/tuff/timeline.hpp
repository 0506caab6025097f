#pragma once

#include <tuff/executor.hpp>

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <vector>

namespace tuff {

/// What the host does for a graph.
enum class HostWork : std::uint8_t {
    build,    ///< the graph, by whoever builds it
    compile,  ///< the plan
    create,   ///< what the plan needs on the device: memory, pipelines, descriptors
    kernels,  ///< pipelines, whose kernels the driver compiles; part of `create`
    upload,   ///< constants, or the parameters and uploads of one execution
    record,   ///< commands
    submit,   ///< to the device's queues
    wait,     ///< until an execution has ended
    readback, ///< of an output
};

/// "compile", as traces name it.
std::string_view name_of(HostWork work);

/// A point in time on the host's clock (CLOCK_MONOTONIC on Linux), in nanoseconds.
using HostTime = std::int64_t;

/// That clock, now.
inline HostTime host_time() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// A stretch of time that the host spent on one thing.
struct HostSpan {
    HostWork work = HostWork::submit; ///< what the host did
    std::uint64_t execution = 0;      ///< of its executor; 0: of none
    bool setup = false;               ///< constant work, whose executions are counted apart
    HostTime begin = 0;               ///< when it began
    HostTime end = 0;                 ///< when it ended
};

/// An execution from its submission to its end, and where its device times lie on the host's clock.
struct TracedExecution {
    ExecutionTimings timings; ///< device times of the execution and its nodes
    bool setup = false;       ///< constant work
    bool timed = false;       ///< whether the device has written times; else those are zero
    HostTime submitted = 0;   ///< when its submission began
    HostTime seen_ended = 0;  ///< when the host knew that it had ended
    /// Its first timestamp by the device's clock, in nanoseconds from wherever that begins.
    double device_start = 0.0;
    /// The same by the host's clock, where the device tells how its clock stands to that
    /// (VK_EXT_calibrated_timestamps); else it is for `align_clocks` to say.
    double host_start = 0.0;
    double deviation = 0.0;  ///< nanoseconds by which `host_start` may be wrong
    bool calibrated = false; ///< whether `host_start` is the device's answer
};

/// How well the device's times fit the host's clock.
struct ClockAlignment {
    bool calibrated = false; ///< by the device itself
    double slack = 0.0;      ///< nanoseconds by which times may be wrong
};

/// Gives executions that the device has not placed on the host's clock their place: one distance
/// between the clocks with which each begins after its submission, as early as that allows. Where
/// the clocks drift too much for one, each execution gets its own.
ClockAlignment align_clocks(std::vector<TracedExecution>& executions);

/// What host and device did, gathered while executors run: see `ExecutorOptions::timeline`. May be
/// written from several threads.
class Timeline {
  public:
    /// Adds what the host did.
    void add(const HostSpan& span);
    /// Adds an execution that has ended.
    void add(TracedExecution execution);

    /// The spans that were added since the last call.
    std::vector<HostSpan> take_spans();
    /// The executions that were added since the last call.
    std::vector<TracedExecution> take_executions();

  private:
    std::mutex mutex_;
    std::vector<HostSpan> spans_;
    std::vector<TracedExecution> executions_;
};

/// Adds the time from its making to its end to a timeline; nothing where that is null.
class ScopedSpan {
  public:
    /// Begins now; ends when it is destroyed.
    ScopedSpan(Timeline* timeline, HostSpan span) : timeline_(timeline), span_(span) {
        if (timeline_) span_.begin = host_time();
    }
    /// The same for work of no execution.
    ScopedSpan(Timeline* timeline, HostWork work) : ScopedSpan(timeline, HostSpan{.work = work}) {}
    ~ScopedSpan() {
        if (!timeline_) return;
        span_.end = host_time();
        timeline_->add(span_);
    }
    ScopedSpan(const ScopedSpan&) = delete;
    ScopedSpan& operator=(const ScopedSpan&) = delete;

  private:
    Timeline* timeline_;
    HostSpan span_;
};

} // namespace tuff
