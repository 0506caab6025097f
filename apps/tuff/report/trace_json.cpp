#include "apps/tuff/report/trace_json.hpp"

#include "graph/explain/describe.hpp"

#include <fmt/format.h>
#include <json/json.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace tuff::cli {
namespace {

constexpr double kNanosecondsInMicro = 1e3;
constexpr double kNanosecondsInMilli = 1e6;
constexpr double kMicrosecondsInMilli = 1e3;

constexpr int kCpu = 1; ///< processes of the trace, of rank 0
constexpr int kDevice = 2;
constexpr int kProcessesOfRank = 2;
constexpr int kMainThread = 1;
// Rows of the device, from the top: nodes by queue, whole executions, frames under way.
constexpr int kFirstQueueRow = 1;
constexpr int kExecutionRow = kFirstQueueRow + static_cast<int>(kQueueCount);
constexpr int kFirstFlightRow = kExecutionRow + 1;

/// A slice of a row.
struct Slice {
    int process = kCpu;
    int row = kMainThread;
    std::string name;
    std::string category;
    double begin = 0.0; ///< nanoseconds of the host's clock
    double end = 0.0;
};

class TraceWriter {
  public:
    TraceWriter(TraceContents contents, const TracedProcess& process)
        : contents_(std::move(contents)), process_(process) {
        std::ranges::sort(contents_.executions, {}, &TracedExecution::submitted);
    }

    Json::Value json() {
        const std::string of = process_.name.empty() ? "" : process_.name + ": ";
        name_process(kCpu, of + "CPU");
        name_row(kCpu, kMainThread, "tuff");
        name_process(kDevice, fmt::format("{}device: {}", of, contents_.device));
        add_frames();
        add_spans();
        add_executions();
        add_memory();
        Json::Value root;
        root["traceEvents"] = events_;
        root["otherData"] = metadata();
        return root;
    }

  private:
    Json::Value metadata() const {
        const ClockAlignment& clocks = contents_.clocks;
        Json::Value json;
        json["device"] = contents_.device;
        json["driver"] = contents_.driver;
        json["clock"] = clocks.calibrated
                            ? "calibrated by the device (VK_EXT_calibrated_timestamps)"
                            : "aligned by submissions, for the device has no calibrated timestamps";
        json["clock_calibrated"] = clocks.calibrated;
        json["clock_uncertainty_us"] =
            (clocks.slack + process_.clock.error()) / kNanosecondsInMicro;
        json["frames_in_flight"] = contents_.in_flight;
        if (process_.name.empty()) return json;
        json["rank"] = process_.rank;
        json["name"] = process_.name;
        json["rank_clock_uncertainty_us"] = process_.clock.error() / kNanosecondsInMicro;
        return json;
    }

    void add_frames() {
        for (std::size_t i = 0; i < contents_.frames.size(); ++i) {
            const TracedFrame& frame = contents_.frames[i];
            slice({.name = fmt::format("frame {}", i),
                   .category = "frame",
                   .begin = static_cast<double>(frame.begin),
                   .end = static_cast<double>(frame.end)});
        }
    }

    void add_spans() {
        for (const HostSpan& span : contents_.spans) {
            Json::Value& json = slice({.name = std::string(name_of(span.work)),
                                       .category = "cpu",
                                       .begin = static_cast<double>(span.begin),
                                       .end = static_cast<double>(span.end)});
            if (span.execution != 0) json["args"]["execution"] = Json::UInt64(span.execution);
            if (span.setup) json["args"]["of"] = "constant work";
        }
    }

    void add_executions() {
        std::size_t frame = 0;
        for (const TracedExecution& execution : contents_.executions) {
            const std::string name =
                execution.setup ? "constant work" : fmt::format("frame {}", frame);
            if (!execution.setup) add_flight(execution, frame++, name);
            if (execution.timed) add_on_device(execution, name);
        }
    }

    /// From the submission to the end on the device; frames of a row take turns.
    void add_flight(const TracedExecution& execution, std::size_t frame, const std::string& name) {
        const auto row = static_cast<int>(frame % contents_.in_flight);
        name_row(kDevice, kFirstFlightRow + row, fmt::format("in flight {}", row + 1));
        const double ended =
            execution.timed ? end_of(execution) : static_cast<double>(execution.seen_ended);
        slice({.process = kDevice,
               .row = kFirstFlightRow + row,
               .name = name,
               .category = "in flight",
               .begin = static_cast<double>(execution.submitted),
               .end = ended})["args"]["execution"] = Json::UInt64(execution.timings.execution);
    }

    static double end_of(const TracedExecution& execution) {
        return execution.host_start + execution.timings.milliseconds * kNanosecondsInMilli;
    }

    void add_on_device(const TracedExecution& execution, const std::string& name) {
        const auto number = Json::UInt64(execution.timings.execution);
        name_row(kDevice, kExecutionRow, "executions");
        slice({.process = kDevice,
               .row = kExecutionRow,
               .name = name,
               .category = execution.setup ? "constant work" : "execution",
               .begin = execution.host_start,
               .end = end_of(execution)})["args"]["execution"] = number;
        for (const NodeTiming& node : execution.timings.nodes) {
            const int row = kFirstQueueRow + static_cast<int>(node.queue);
            name_row(kDevice, row, fmt::format("{} queue", name_of(node.queue)));
            const bool on_host = node.queue == Queue::host;
            const double begin = on_host ? static_cast<double>(node.host_begin)
                                         : execution.host_start + node.start * kNanosecondsInMilli;
            // Perfetto colours by category: nodes of one pass belong together.
            Json::Value& json = slice({.process = kDevice,
                                       .row = row,
                                       .name = node.name,
                                       .category = node.name.substr(0, node.name.find('/')),
                                       .begin = begin,
                                       .end = begin + node.milliseconds * kNanosecondsInMilli});
            json["args"]["frame"] = name;
            if (!on_host) continue;
            json["args"]["waited_us"] = node.waited * kMicrosecondsInMilli;
            json["args"]["bytes_read"] = Json::UInt64{node.bytes_read};
            json["args"]["bytes_written"] = Json::UInt64{node.bytes_written};
        }
    }

    void add_memory() {
        for (const TracedMemory& traced : contents_.memory) {
            const ExecutorMemory& memory = traced.memory;
            Json::Value& device = counter("device memory", kDevice, traced.at);
            device["transient"] = Json::UInt64(memory.transient);
            device["constant"] = Json::UInt64(memory.constant);
            device["history"] = Json::UInt64(memory.history);
            device["kept"] = Json::UInt64(memory.kept);
            device["setup"] = Json::UInt64(memory.setup);
            counter("host-visible memory", kCpu, traced.at)["bytes"] = Json::UInt64(memory.host);
        }
    }

    void name_process(int process, const std::string& name) {
        name_it("process_name", process, 0)["name"] = name;
        name_it("process_sort_index", process, 0)["sort_index"] = process_of(process);
    }

    /// Once, when first there is something in it.
    void name_row(int process, int row, const std::string& name) {
        if (!named_.emplace(std::pair(process, row), name).second) return;
        name_it("thread_name", process, row)["name"] = name;
        name_it("thread_sort_index", process, row)["sort_index"] = row;
    }

    Json::Value& name_it(const char* what, int process, int row) {
        Json::Value& json = event("M", process, row);
        json["name"] = what;
        return json["args"];
    }

    Json::Value& counter(const char* name, int process, HostTime at) {
        Json::Value& json = event("C", process, 0);
        json["name"] = name;
        json["ts"] = microseconds(static_cast<double>(at));
        return json["args"];
    }

    Json::Value& slice(const Slice& slice) {
        Json::Value& json = event("X", slice.process, slice.row);
        json["name"] = slice.name;
        json["cat"] = slice.category;
        json["ts"] = microseconds(slice.begin);
        json["dur"] = (slice.end - slice.begin) / kNanosecondsInMicro;
        return json;
    }

    Json::Value& event(const char* kind, int process, int row) {
        Json::Value& json = events_.append(Json::objectValue);
        json["ph"] = kind;
        json["pid"] = process_of(process);
        json["tid"] = row;
        return json;
    }

    int process_of(int process) const { return process + kProcessesOfRank * process_.rank; }
    double microseconds(double own) const {
        return process_.clock.on_first(own) / kNanosecondsInMicro;
    }

    TraceContents contents_;
    const TracedProcess& process_;
    Json::Value events_{Json::arrayValue};
    std::map<std::pair<int, int>, std::string> named_;
};

/// Names come first, then all else by time, which begins with zero.
Json::Value merged_events(std::vector<Json::Value>& ranks) {
    std::vector<Json::Value> timed;
    Json::Value merged(Json::arrayValue);
    for (Json::Value& rank : ranks)
        for (Json::Value& event : rank["traceEvents"])
            if (event.isMember("ts"))
                timed.push_back(std::move(event));
            else
                merged.append(std::move(event));
    const auto time_of = [](const Json::Value& event) { return event["ts"].asDouble(); };
    std::ranges::stable_sort(timed, {}, time_of);
    const double origin = timed.empty() ? 0.0 : time_of(timed.front());
    for (Json::Value& event : timed) {
        event["ts"] = time_of(event) - origin;
        merged.append(std::move(event));
    }
    return merged;
}

} // namespace

Json::Value trace_of(TraceContents contents, const TracedProcess& process) {
    return TraceWriter(std::move(contents), process).json();
}

std::string trace_json(std::vector<Json::Value> ranks) {
    Json::Value root;
    root["traceEvents"] = merged_events(ranks);
    root["displayTimeUnit"] = "ms";
    Json::Value& about = root["otherData"] = ranks.front()["otherData"];
    for (std::size_t rank = 0; rank < ranks.size() && ranks.size() > 1; ++rank) {
        const Json::Value& of_rank = about["ranks"].append(ranks[rank]["otherData"]);
        for (const char* error : {"clock_uncertainty_us", "rank_clock_uncertainty_us"})
            about[error] = std::max(about[error].asDouble(), of_rank[error].asDouble());
    }
    Json::StreamWriterBuilder writer;
    writer["indentation"] = " ";
    writer["precision"] = 15;
    return Json::writeString(writer, root) + '\n';
}

} // namespace tuff::cli
