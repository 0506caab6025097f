#include "apps/shared/commands.hpp"
#include "apps/shared/flags.hpp"
#include "apps/shared/frame_runner.hpp"
#include "apps/shared/interrupt.hpp"
#include "graph/explain/describe.hpp"

#include <fmt/format.h>
#include <json/json.h>

#include <array>
#include <memory>

namespace tuff::cli {
namespace {

struct TraceOptions {
    ConfigFlags config;
    CompileFlags compile;
    DeviceFlags device;
    std::string out;
    std::int64_t frames = 10;
    double fps = 60.0;
};

constexpr double kMicroseconds = 1000.0; ///< in a millisecond

/// The Trace Event Format: complete events ("X"), executions on one row and nodes on one for each
/// queue. Executions follow each other without the gaps that the host left between them.
class Trace {
  public:
    explicit Trace(const std::string& device) {
        name("process_name", 0, device);
        name("thread_name", kExecutions, "executions");
    }

    void add(const ExecutionTimings& timings) {
        event(fmt::format("execution {}", timings.execution), "execution", kExecutions, now_,
              timings.milliseconds);
        for (const NodeTiming& node : timings.nodes) {
            // Perfetto colours by category: nodes of one pass belong together.
            event(node.name, node.name.substr(0, node.name.find('/')), row_of(node.queue),
                  now_ + node.start, node.milliseconds);
        }
        now_ += timings.milliseconds;
    }

    std::string text() {
        Json::Value root;
        root["traceEvents"] = events_;
        root["displayTimeUnit"] = "ms";
        Json::StreamWriterBuilder writer;
        writer["indentation"] = " ";
        return Json::writeString(writer, root) + '\n';
    }

  private:
    static constexpr int kExecutions = 1;
    static constexpr int kFirstQueue = 2;

    /// Named when first there is something in it.
    int row_of(Queue queue) {
        const auto index = static_cast<std::size_t>(queue);
        const int row = kFirstQueue + static_cast<int>(index);
        if (!named_[index]) name("thread_name", row, fmt::format("{} queue", name_of(queue)));
        named_[index] = true;
        return row;
    }

    void name(const char* what, int thread, const std::string& text) {
        Json::Value json;
        json["ph"] = "M";
        json["pid"] = 1;
        json["tid"] = thread;
        json["name"] = what;
        json["args"]["name"] = text;
        events_.append(json);
    }

    void event(const std::string& title, const std::string& category, int thread, double start,
               double milliseconds) {
        Json::Value json;
        json["ph"] = "X";
        json["pid"] = 1;
        json["tid"] = thread;
        json["name"] = title;
        json["cat"] = category;
        json["ts"] = start * kMicroseconds;
        json["dur"] = milliseconds * kMicroseconds;
        events_.append(json);
    }

    Json::Value events_{Json::arrayValue};
    std::array<bool, kQueueCount> named_{};
    double now_ = 0.0;
};

Outcome<void> trace(const TraceOptions& options, Terminal& terminal) {
    auto config = OpenedConfig::open(options.config, terminal);
    if (!config) return pass_on(std::move(config));
    if (auto writable = check_writable(options.out); !writable) return writable;
    DeviceFlags device = options.device;
    device.frames = static_cast<std::uint64_t>(options.frames);
    auto runner =
        FrameRunner::start(*config, options.compile, device, frame_time(0, options.fps), terminal);
    if (!runner) return pass_on(std::move(runner));
    if (runner->device().caps().timestamp_period_ns <= 0.0)
        return run_failure(
            fail("cli/no-timestamps",
                 fmt::format("'{}' has no timestamps to trace with", runner->device().caps().name),
                 "choose another device: 'tuff devices' lists them")
                .error());

    Trace result(runner->device().caps().name);
    const InterruptGuard guard;
    Progress progress(terminal, static_cast<std::uint64_t>(options.frames));
    for (std::int64_t frame = 0; frame < options.frames && !guard.interrupted(); ++frame) {
        if (auto run = runner->run(frame_time(frame, options.fps)); !run) return run;
        // One at a time: the timings kept are those of the last execution that has finished.
        if (auto waited = runner->executor().wait(); !waited)
            return run_failure(std::move(waited.error()));
        result.add(runner->executor().timings());
        progress.advance(static_cast<std::uint64_t>(frame + 1));
    }
    progress.clear();
    if (auto finished = runner->finish(); !finished) return finished;
    if (auto written = write_text_file(options.out, result.text()); !written) return written;
    terminal.print(
        fmt::format("wrote {}: open it in ui.perfetto.dev or chrome://tracing\n", options.out));
    return {};
}

} // namespace

void add_trace_command(Command& app, Action& action) {
    auto options = std::make_shared<TraceOptions>();
    options->compile.constant = ConstantWork::once;
    Command* command =
        app.add_subcommand("trace", "Write how long each node takes as a Chrome or Perfetto trace");
    add_config_flags(*command, options->config);
    command->add_option("--out", options->out, "The trace, as JSON")
        ->type_name(std::string(kFileType))
        ->required();
    command->add_option("--frames", options->frames, "Frames to trace")
        ->type_name("N")
        ->range(1, 100'000);
    command->add_option("--fps", options->fps, "Frames a second: $time is frame / fps")
        ->type_name("F")
        ->range(1e-3, 1e6);
    add_device_flags(*command, options->device);
    add_compile_flags(*command, options->compile);
    command->footer("Example:\n  tuff trace demo --out trace.json");
    command->callback([options, &action] {
        action = [options](Terminal& terminal) {
            return within_limits(options->config.confinement,
                                 [&] { return trace(*options, terminal); });
        };
    });
}

} // namespace tuff::cli
