#include "apps/tuff/commands/tracing.hpp"

#include "apps/shared/interrupt.hpp"
#include "apps/tuff/report/output_files.hpp"

#include <fmt/format.h>

#include <utility>

namespace tuff::cli {

Tracing::Tracing(const TraceOptions& options, FrameRunner& runner, Timeline& timeline)
    : options_(options), runner_(runner), timeline_(timeline) {
    note_memory();
}

Outcome<void> Tracing::run(Terminal& terminal) {
    const InterruptGuard guard;
    const bool leads = runner_.ranks().rank == 0;
    Progress progress(terminal, leads ? static_cast<std::uint64_t>(options_.frames) : 0);
    Outcome<void> done;
    for (std::int64_t frame = 0; frame < options_.frames && done && !guard.interrupted(); ++frame) {
        TracedFrame& traced = contents_.frames.emplace_back();
        traced.begin = host_time();
        done = runner_.run(frame_time(frame, options_.fps));
        traced.end = host_time();
        note_memory();
        progress.advance(static_cast<std::uint64_t>(frame + 1));
    }
    progress.clear();
    // Others would wait for the frames that this one leaves out.
    if (done && guard.interrupted() && runner_.ranks().size() > 1)
        done = run_failure(fail("cli/interrupted", "interrupted before all frames were traced",
                                "give fewer --frames")
                               .error());
    if (done) done = read_outputs();
    return done ? runner_.finish() : done;
}

TraceContents Tracing::finish(const DeviceCaps& caps) {
    contents_.device = caps.name;
    contents_.driver = caps.driver;
    contents_.in_flight = options_.compile.frames_in_flight;
    contents_.spans = timeline_.take_spans();
    contents_.executions = timeline_.take_executions();
    contents_.clocks = align_clocks(contents_.executions);
    return std::move(contents_);
}

/// Where it has changed.
void Tracing::note_memory() {
    const ExecutorMemory memory = runner_.executor().memory();
    if (contents_.memory.empty() || contents_.memory.back().memory != memory)
        contents_.memory.push_back({host_time(), memory});
}

/// As the last frame of `tuff run` is.
Outcome<void> Tracing::read_outputs() {
    const GraphDesc& graph = runner_.plan().graph;
    for (const OutputDesc& output : graph.outputs) {
        if (output.reader) continue;
        auto fetched = fetch_output(runner_.executor(), std::string(graph.name(output.name)));
        if (!fetched) return pass_on(std::move(fetched));
    }
    return {};
}

Outcome<void> check_timestamps(const DeviceCaps& caps) {
    if (caps.timestamp_period_ns > 0.0) return {};
    return run_failure(fail("cli/no-timestamps",
                            fmt::format("'{}' has no timestamps to trace with", caps.name),
                            "choose another device: 'tuff devices' lists them")
                           .error());
}

} // namespace tuff::cli
