#pragma once

#include "apps/shared/frame_runner.hpp"
#include "apps/tuff/ranks/rank_flags.hpp"
#include "apps/tuff/report/trace_json.hpp"

#include <tuff/communicator.hpp>

#include <cstdint>
#include <functional>
#include <string>

namespace tuff::cli {

/// What the command line of `tuff trace` says.
struct TraceOptions {
    ConfigFlags config;
    CompileFlags compile;
    DeviceFlags device;
    RankFlags ranks;
    std::string out;
    std::int64_t frames = 10;
    double fps = 60.0;
};

/// Runs the frames and keeps what is to be drawn of them.
class Tracing {
  public:
    Tracing(const TraceOptions& options, FrameRunner& runner, Timeline& timeline);

    Outcome<void> run(Terminal& terminal);
    /// Once the runner has ended, which notes the rest.
    TraceContents finish(const DeviceCaps& caps);

  private:
    void note_memory();
    Outcome<void> read_outputs();

    const TraceOptions& options_;
    FrameRunner& runner_;
    Timeline& timeline_;
    TraceContents contents_;
};

/// Error: cli/no-timestamps.
Outcome<void> check_timestamps(const DeviceCaps& caps);

/// Traces what all ranks do together for a config with a domain; rank 0 writes it.
Outcome<void> trace_ranks(const TraceOptions& options, Communicator& ranks, Terminal& terminal);

} // namespace tuff::cli
