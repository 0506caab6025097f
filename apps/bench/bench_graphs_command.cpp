// `tuff bench graphs`: how long a frame of each shipped graph takes on a device, at its own size.

#include "apps/bench/bench_commands.hpp"
#include "apps/bench/report.hpp"
#include "apps/bench/statistics.hpp"
#include "apps/shared/flags.hpp"
#include "apps/shared/frame_runner.hpp"
#include "apps/shared/graph_times.hpp"
#include "apps/shared/interrupt.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <memory>
#include <vector>

namespace tuff::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kFps = 60.0;
// A GPU raises its clocks within the better part of a second; a software device has none to raise,
// but compiles kernels in its first frame.
constexpr std::chrono::seconds kGpuWarmUp{1};
constexpr std::int64_t kGpuWarmUpFrames = 10;
constexpr std::int64_t kGpuFrames = 100;
constexpr std::int64_t kSoftwareFrames = 3;

/// Frames of one config whose executions are timed as a whole.
class TimedFrames {
  public:
    explicit TimedFrames(FrameRunner& runner) : runner_(runner) {}

    /// Runs the next frame.
    Outcome<void> next() {
        // A new executor times nodes, which makes each wait for the one before it.
        if (runner_.compilations() != compilations_) {
            if (auto set = runner_.executor().set_timings(Timings::executions); !set)
                return run_failure(std::move(set.error()));
            compilations_ = runner_.compilations();
            last_ = 0;
        }
        if (auto run = runner_.run(frame_time(frame_++, kFps)); !run) return run;
        // Times are kept of as many executions as may be in flight.
        return ++pending_ < ExecutorOptions{}.frames_in_flight ? Outcome<void>{} : finish();
    }
    /// Waits for what was submitted.
    Outcome<void> finish() {
        if (auto finished = runner_.finish(); !finished) return finished;
        collect();
        pending_ = 0;
        return {};
    }
    /// Forgets what was measured so far.
    Outcome<void> begin() {
        if (auto finished = finish(); !finished) return finished;
        samples_.clear();
        return {};
    }
    const std::vector<double>& samples() const { return samples_; }

  private:
    void collect() {
        for (const ExecutionTimings& timings : runner_.executor().recent_timings()) {
            if (timings.execution <= last_) continue;
            last_ = timings.execution;
            samples_.push_back(timings.milliseconds);
        }
    }

    FrameRunner& runner_;
    std::int64_t frame_ = 0;
    std::uint32_t pending_ = 0; ///< frames whose times were not collected
    std::uint32_t compilations_ = 0;
    std::uint64_t last_ = 0; ///< execution that was collected
    std::vector<double> samples_;
};

/// The size of the first output that is a picture.
Extent picture_size(const GraphDesc& graph) {
    for (const OutputDesc& output : graph.outputs)
        if (const ResourceDesc& resource = graph.resource_of(output.version); resource.is_image())
            return resource.image().extent;
    return {0, 0, 0};
}

bool lacks_assets(const Diagnostics& problems) {
    return std::ranges::any_of(problems,
                               [](const Diagnostic& d) { return d.code == "asset/not-found"; });
}

class GraphBench {
  public:
    GraphBench(const BenchGraphsOptions& options, Terminal& terminal)
        : options_(options), terminal_(terminal) {}

    Outcome<void> run() {
        if (!options_.csv.empty()) {
            auto known = read_graph_times(options_.csv);
            if (!known) return pass_on(std::move(known));
            times_ = std::move(*known);
            if (auto writable = check_writable(options_.csv); !writable) return writable;
        }
        const InterruptGuard guard;
        const std::vector<std::string> graphs =
            options_.graphs.empty() ? shipped_graphs() : options_.graphs;
        for (const std::string& graph : graphs) {
            if (guard.interrupted())
                return run_failure(fail("cli/interrupted", "interrupted",
                                        "the file has the graphs that were measured")
                                       .error());
            if (auto ok = measure(graph); !ok) return ok;
        }
        return {};
    }

  private:
    /// A graph whose models or pictures are not installed is told and left out.
    Outcome<void> measure(const std::string& name) {
        auto config = OpenedConfig::open({.config = name}, terminal_);
        if (!config) return pass_on(std::move(config));
        auto runner =
            FrameRunner::start(*config, {}, options_.device, frame_time(0, kFps), terminal_);
        if (!runner && lacks_assets(runner.error().diagnostics)) {
            print_row(name,
                      fmt::format("left out: {}", runner.error().diagnostics.front().message));
            return {};
        }
        if (!runner) return pass_on(std::move(runner));
        const DeviceCaps& caps = runner->device().caps();
        if (caps.timestamp_period_ns <= 0.0)
            return run_failure(
                fail("cli/no-timestamps",
                     fmt::format("'{}' has no timestamps to measure with", caps.name),
                     "choose another device: 'tuff devices' lists them")
                    .error());
        const bool software = caps.type == DeviceType::cpu;
        TimedFrames frames(*runner);
        if (auto warm = warm_up(frames, software); !warm) return warm;
        const std::int64_t wanted = options_.frames > 0 ? options_.frames
                                    : software          ? kSoftwareFrames
                                                        : kGpuFrames;
        for (std::int64_t i = 0; i < wanted; ++i)
            if (auto run = frames.next(); !run) return run;
        if (auto finished = frames.finish(); !finished) return finished;
        // Where a pool has grown, the frame of the new executor has no time.
        for (int more = 0; more < 3 && frames.samples().empty(); ++more) {
            if (auto run = frames.next(); !run) return run;
            if (auto finished = frames.finish(); !finished) return finished;
        }
        return keep(name, caps, picture_size(runner->plan().graph), frames.samples());
    }

    static Outcome<void> warm_up(TimedFrames& frames, bool software) {
        const Clock::time_point start = Clock::now();
        for (std::int64_t i = 0; i < (software ? 1 : kGpuWarmUpFrames) ||
                                 (!software && Clock::now() - start < kGpuWarmUp);
             ++i)
            if (auto run = frames.next(); !run) return run;
        return frames.begin();
    }

    Outcome<void> keep(const std::string& name, const DeviceCaps& caps, const Extent& size,
                       const std::vector<double>& samples) {
        const bench::Summary summary = bench::summarise(samples);
        if (!announced_) terminal_.print(fmt::format("{}, driver {}\n", caps.name, caps.driver));
        announced_ = true;
        print_row(name, fmt::format("{}x{}  {}  +/- {:.1f} %", size.width, size.height,
                                    time_text(summary.median), 100.0 * summary.spread()));
        put_graph_time(times_, {.graph = name,
                                .device = options_.label.empty() ? caps.name : options_.label,
                                .driver = caps.driver,
                                .date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))),
                                .width = size.width,
                                .height = size.height,
                                .gpu_milliseconds = summary.median,
                                .frames = static_cast<std::uint32_t>(summary.samples)});
        if (options_.csv.empty()) return {};
        return write_text_file(options_.csv, graph_times_text(times_));
    }

    /// Line by line, for a software device takes minutes.
    void print_row(const std::string& name, const std::string& text) {
        terminal_.print(fmt::format("{:<16}  {}\n", name, text));
        terminal_.flush();
    }

    const BenchGraphsOptions& options_;
    Terminal& terminal_;
    std::vector<GraphTime> times_;
    bool announced_ = false;
};

} // namespace

Outcome<void> run_bench_graphs(const BenchGraphsOptions& options, Terminal& terminal) {
    return GraphBench(options, terminal).run();
}

} // namespace tuff::cli
