#include <tuff/timeline.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace tuff {
namespace {

constexpr double kNanoseconds = 1e6; ///< in a millisecond

double duration_of(const TracedExecution& execution) {
    return execution.timings.milliseconds * kNanoseconds;
}

/// Distances of the clocks with which no execution begins before its submission or ends after
/// the host has seen its end; none where `low` is above `high`.
struct Distances {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
};

Distances possible_distances(const std::vector<TracedExecution*>& executions) {
    Distances result;
    for (const TracedExecution* execution : executions) {
        result.low = std::max(result.low,
                              static_cast<double>(execution->submitted) - execution->device_start);
        result.high =
            std::min(result.high, static_cast<double>(execution->seen_ended) -
                                      (execution->device_start + duration_of(*execution)));
    }
    return result;
}

/// Each after its submission and after the one before it, and before its end was seen where that
/// is possible. Returns the most that one of them could be moved.
double align_each(const std::vector<TracedExecution*>& executions) {
    double slack = 0.0;
    double free = 0.0; // when the one before has ended
    for (TracedExecution* execution : executions) {
        const auto submitted = static_cast<double>(execution->submitted);
        const double latest = static_cast<double>(execution->seen_ended) - duration_of(*execution);
        execution->host_start = std::max(submitted, std::min(std::max(submitted, free), latest));
        free = execution->host_start + duration_of(*execution);
        slack = std::max(slack, latest - execution->host_start);
    }
    return slack;
}

} // namespace

std::string_view name_of(HostWork work) {
    switch (work) {
    case HostWork::build: return "build graph";
    case HostWork::compile: return "compile plan";
    case HostWork::create: return "make executor";
    case HostWork::kernels: return "compile kernels";
    case HostWork::upload: return "upload";
    case HostWork::record: return "record";
    case HostWork::submit: return "submit";
    case HostWork::wait: return "wait";
    case HostWork::readback: return "readback";
    }
    return "";
}

ClockAlignment align_clocks(std::vector<TracedExecution>& executions) {
    ClockAlignment result{.calibrated = true};
    std::vector<TracedExecution*> unplaced;
    for (TracedExecution& execution : executions) {
        if (!execution.timed) execution.host_start = static_cast<double>(execution.submitted);
        if (execution.calibrated) result.slack = std::max(result.slack, execution.deviation);
        if (execution.timed && !execution.calibrated) unplaced.push_back(&execution);
    }
    if (unplaced.empty()) return result;
    result.calibrated = false;
    std::ranges::sort(unplaced, {}, &TracedExecution::submitted);
    const Distances distances = possible_distances(unplaced);
    if (distances.low > distances.high) {
        result.slack = std::max(result.slack, align_each(unplaced));
        return result;
    }
    for (TracedExecution* execution : unplaced)
        execution->host_start = execution->device_start + distances.low;
    result.slack = std::max(result.slack, distances.high - distances.low);
    return result;
}

void Timeline::add(const HostSpan& span) {
    const std::lock_guard lock(mutex_);
    spans_.push_back(span);
}

void Timeline::add(TracedExecution execution) {
    const std::lock_guard lock(mutex_);
    executions_.push_back(std::move(execution));
}

std::vector<HostSpan> Timeline::take_spans() {
    const std::lock_guard lock(mutex_);
    return std::exchange(spans_, {});
}

std::vector<TracedExecution> Timeline::take_executions() {
    const std::lock_guard lock(mutex_);
    return std::exchange(executions_, {});
}

} // namespace tuff
