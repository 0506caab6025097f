#include "apps/tuff/report/trace_json.hpp"

#include "graph/explain/describe.hpp"

#include <fmt/format.h>
#include <json/json.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace tuff::cli {
namespace {

constexpr double kNanosecondsInMicro = 1e3;
constexpr double kNanosecondsInMilli = 1e6;

constexpr int kCpu = 1; ///< processes of the trace
constexpr int kDevice = 2;
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
    explicit TraceWriter(TraceContents contents) : contents_(std::move(contents)) {
        std::ranges::sort(contents_.executions, {}, &TracedExecution::submitted);
        origin_ = first_time();
    }

    std::string text() {
        name_process(kCpu, "CPU");
        name_row(kCpu, kMainThread, "tuff");
        name_process(kDevice, fmt::format("device: {}", contents_.device));
        add_frames();
        add_spans();
        add_executions();
        add_memory();
        Json::Value root;
        root["traceEvents"] = events_;
        root["displayTimeUnit"] = "ms";
        root["otherData"] = metadata();
        Json::StreamWriterBuilder writer;
        writer["indentation"] = " ";
        writer["precision"] = 15;
        return Json::writeString(writer, root) + '\n';
    }

  private:
    double first_time() const {
        double first = std::numeric_limits<double>::infinity();
        for (const TracedFrame& frame : contents_.frames)
            first = std::min(first, static_cast<double>(frame.begin));
        for (const HostSpan& span : contents_.spans)
            first = std::min(first, static_cast<double>(span.begin));
        for (const TracedMemory& memory : contents_.memory)
            first = std::min(first, static_cast<double>(memory.at));
        return std::isfinite(first) ? first : 0.0;
    }

    Json::Value metadata() const {
        const ClockAlignment& clocks = contents_.clocks;
        Json::Value json;
        json["device"] = contents_.device;
        json["driver"] = contents_.driver;
        json["clock"] = clocks.calibrated
                            ? "calibrated by the device (VK_EXT_calibrated_timestamps)"
                            : "aligned by submissions, for the device has no calibrated timestamps";
        json["clock_calibrated"] = clocks.calibrated;
        json["clock_uncertainty_us"] = clocks.slack / kNanosecondsInMicro;
        json["frames_in_flight"] = contents_.in_flight;
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
            if (node.queue == Queue::host) continue; // nobody has noted when it began
            const int row = kFirstQueueRow + static_cast<int>(node.queue);
            name_row(kDevice, row, fmt::format("{} queue", name_of(node.queue)));
            const double begin = execution.host_start + node.start * kNanosecondsInMilli;
            // Perfetto colours by category: nodes of one pass belong together.
            slice({.process = kDevice,
                   .row = row,
                   .name = node.name,
                   .category = node.name.substr(0, node.name.find('/')),
                   .begin = begin,
                   .end = begin + node.milliseconds * kNanosecondsInMilli})["args"]["frame"] = name;
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
        name_it("process_sort_index", process, 0)["sort_index"] = process;
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
        json["ts"] = (static_cast<double>(at) - origin_) / kNanosecondsInMicro;
        return json["args"];
    }

    Json::Value& slice(const Slice& slice) {
        Json::Value& json = event("X", slice.process, slice.row);
        json["name"] = slice.name;
        json["cat"] = slice.category;
        json["ts"] = (slice.begin - origin_) / kNanosecondsInMicro;
        json["dur"] = (slice.end - slice.begin) / kNanosecondsInMicro;
        return json;
    }

    Json::Value& event(const char* kind, int process, int row) {
        Json::Value& json = events_.append(Json::objectValue);
        json["ph"] = kind;
        json["pid"] = process;
        json["tid"] = row;
        return json;
    }

    TraceContents contents_;
    double origin_ = 0.0;
    Json::Value events_{Json::arrayValue};
    std::map<std::pair<int, int>, std::string> named_;
};

} // namespace

std::string trace_json(TraceContents contents) {
    return TraceWriter(std::move(contents)).text();
}

} // namespace tuff::cli
