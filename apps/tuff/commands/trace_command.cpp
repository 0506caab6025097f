#include "apps/shared/commands.hpp"
#include "apps/shared/flags.hpp"
#include "apps/shared/frame_runner.hpp"
#include "apps/shared/interrupt.hpp"
#include "apps/tuff/report/output_files.hpp"
#include "apps/tuff/report/trace_json.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

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

/// Runs the frames and keeps what is to be drawn of them.
class Tracing {
  public:
    Tracing(const TraceOptions& options, FrameRunner& runner, Timeline& timeline)
        : options_(options), runner_(runner), timeline_(timeline) {
        note_memory();
    }

    Outcome<void> run(Terminal& terminal) {
        const InterruptGuard guard;
        Progress progress(terminal, static_cast<std::uint64_t>(options_.frames));
        Outcome<void> done;
        for (std::int64_t frame = 0; frame < options_.frames && done && !guard.interrupted();
             ++frame) {
            TracedFrame& traced = contents_.frames.emplace_back();
            traced.begin = host_time();
            done = runner_.run(frame_time(frame, options_.fps));
            traced.end = host_time();
            note_memory();
            progress.advance(static_cast<std::uint64_t>(frame + 1));
        }
        progress.clear();
        if (done) done = read_outputs();
        return done ? runner_.finish() : done;
    }

    /// Once the runner has ended, which notes the rest.
    TraceContents finish(const DeviceCaps& caps) {
        contents_.device = caps.name;
        contents_.driver = caps.driver;
        contents_.in_flight = options_.compile.frames_in_flight;
        contents_.spans = timeline_.take_spans();
        contents_.executions = timeline_.take_executions();
        contents_.clocks = align_clocks(contents_.executions);
        return std::move(contents_);
    }

  private:
    /// Where it has changed.
    void note_memory() {
        const ExecutorMemory memory = runner_.executor().memory();
        if (contents_.memory.empty() || contents_.memory.back().memory != memory)
            contents_.memory.push_back({host_time(), memory});
    }

    /// As the last frame of `tuff run` is.
    Outcome<void> read_outputs() {
        const GraphDesc& graph = runner_.plan().graph;
        for (const OutputDesc& output : graph.outputs) {
            if (output.reader) continue;
            auto fetched = fetch_output(runner_.executor(), std::string(graph.name(output.name)));
            if (!fetched) return pass_on(std::move(fetched));
        }
        return {};
    }

    const TraceOptions& options_;
    FrameRunner& runner_;
    Timeline& timeline_;
    TraceContents contents_;
};

Outcome<void> trace(const TraceOptions& options, Terminal& terminal) {
    auto config = OpenedConfig::open(options.config, terminal);
    if (!config) return pass_on(std::move(config));
    if (auto writable = check_writable(options.out); !writable) return writable;
    DeviceFlags device = options.device;
    device.frames = static_cast<std::uint64_t>(options.frames);
    Timeline timeline;
    CompileFlags flags = options.compile;
    flags.timeline = &timeline;
    std::optional<FrameRunner> runner;
    {
        auto started =
            FrameRunner::start(*config, flags, device, frame_time(0, options.fps), terminal);
        if (!started) return pass_on(std::move(started));
        runner.emplace(std::move(*started));
    }
    const DeviceCaps caps = runner->device().caps();
    if (caps.timestamp_period_ns <= 0.0)
        return run_failure(fail("cli/no-timestamps",
                                fmt::format("'{}' has no timestamps to trace with", caps.name),
                                "choose another device: 'tuff devices' lists them")
                               .error());

    Tracing tracing(options, *runner, timeline);
    if (auto run = tracing.run(terminal); !run) return run;
    runner.reset();
    const std::string text = trace_json(tracing.finish(caps));
    if (auto written = write_text_file(options.out, text); !written) return written;
    terminal.print(
        fmt::format("wrote {}: open it in ui.perfetto.dev or chrome://tracing\n", options.out));
    return {};
}

} // namespace

void add_trace_command(Command& app, Action& action) {
    auto options = std::make_shared<TraceOptions>();
    options->compile.constant = ConstantWork::once;
    Command* command = app.add_subcommand(
        "trace",
        "Write what the CPU and the device do, on one timeline, as a Chrome or Perfetto trace");
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
    command
        ->add_option("--in-flight", options->compile.frames_in_flight,
                     "Frames that may be under way at once; default 2")
        ->type_name("N")
        ->range(1, 64);
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
