#include "apps/shared/commands.hpp"
#include "apps/shared/flags.hpp"
#include "apps/tuff/commands/tracing.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

namespace tuff::cli {
namespace {

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
    if (auto timed = check_timestamps(caps); !timed) return timed;

    Tracing tracing(options, *runner, timeline);
    if (auto run = tracing.run(terminal); !run) return run;
    runner.reset();
    const std::string text = trace_json({trace_of(tracing.finish(caps), {})});
    if (auto written = write_text_file(options.out, text); !written) return written;
    terminal.print(
        fmt::format("wrote {}: open it in ui.perfetto.dev or chrome://tracing\n", options.out));
    return {};
}

Outcome<void> trace_alone_or_together(const TraceOptions& options, Terminal& terminal) {
    if (!joins_ranks(options.ranks)) return trace(options, terminal);
    auto ranks = Communicator::join(options.ranks.communicator());
    if (!ranks) return run_failure(std::move(ranks.error()));
    if ((*ranks)->size() == 1) return trace(options, terminal);
    return trace_ranks(options, **ranks, terminal);
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
    add_rank_flags(*command, options->ranks);
    add_device_flags(*command, options->device);
    add_compile_flags(*command, options->compile);
    command->footer("Examples:\n  tuff trace demo --out trace.json\n"
                    "  mpirun -n 4 tuff trace field.json --out ranks.json");
    command->callback([options, &action] {
        action = [options](Terminal& terminal) {
            return within_limits(options->config.confinement,
                                 [&] { return trace_alone_or_together(*options, terminal); });
        };
    });
}

} // namespace tuff::cli
