// `tuff trace` as several processes that a launcher has started.

#include "apps/shared/flags.hpp"
#include "apps/shared/rank_device.hpp"
#include "apps/tuff/batch/run_record.hpp"
#include "apps/tuff/commands/tracing.hpp"
#include "apps/tuff/ranks/agreement.hpp"
#include "apps/tuff/ranks/domain_grid.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tuff_config.hpp>

#include <optional>
#include <utility>

namespace tuff::cli {
namespace {

class RankTrace {
  public:
    RankTrace(const TraceOptions& options, Communicator& ranks, Terminal& terminal)
        : options_(options), ranks_(ranks), terminal_(terminal) {}

    Outcome<void> operator()() {
        Outcome<void> own = prepare();
        const auto statements = ranks_.gather(to_bytes(statement(own)), 0);
        if (!statements) return failed_ranks(ranks_, statements.error());
        if (leads() && own) own = check(*statements);
        const auto verdict = spread(ranks_, own, true);
        if (!verdict) return failed_ranks(ranks_, verdict.error());
        if (!verdict->go) return leads() ? own : silent(verdict->exit_code);
        auto contents = trace();
        if (!contents) return ended(std::move(contents.error()));
        return write(std::move(*contents));
    }

  private:
    bool leads() const { return ranks_.rank() == 0; }

    Outcome<void> prepare() {
        if (leads())
            if (auto writable = check_writable(options_.out); !writable) return writable;
        auto config = OpenedConfig::open(options_.config, terminal_);
        if (!config) return pass_on(std::move(config));
        config_.emplace(std::move(*config));
        if (auto divided = divide_among(config_->config(), ranks_, options_.ranks); !divided)
            return divided;
        DeviceFlags device = options_.device;
        device.frames = static_cast<std::uint64_t>(options_.frames);
        if (const auto devices = list_devices())
            device.select = device_of_rank(device.select, *devices, ranks_.local_rank());
        CompileFlags flags = options_.compile;
        flags.timeline = &timeline_;
        auto started =
            FrameRunner::start(*config_, flags, device, frame_time(0, options_.fps), terminal_);
        if (!started) return pass_on(std::move(started));
        runner_.emplace(std::move(*started));
        return check_timestamps(runner_->device().caps());
    }

    Statement statement(const Outcome<void>& own) {
        Statement statement{.version = std::string(build_config::kVersion),
                            .config = {},
                            .options = fmt::format("{} {} {} {} {}", options_.frames, options_.fps,
                                                   options_.ranks.grid,
                                                   fmt::join(options_.config.sets, " "),
                                                   fmt::join(options_.config.inputs, " ")),
                            .precision = {},
                            .device = {},
                            .problems = {},
                            .exit_code = kExitOk};
        if (own) {
            FileHashes hashes;
            describe_rank(statement, *config_, sources_of(*config_, options_.config), hashes,
                          runner_->device().caps());
        } else {
            statement.problems = own.error().diagnostics;
            statement.exit_code = own.error().exit_code;
        }
        return statement;
    }

    Outcome<void> check(const std::vector<Bytes>& statements) {
        auto warnings = compare_all(ranks_, statements);
        if (!warnings) return pass_on(std::move(warnings));
        terminal_.report(*warnings);
        return {};
    }

    /// On the clock of rank 0.
    Outcome<Json::Value> trace() {
        const auto before = read_clock(ranks_);
        if (!before) return run_failure(before.error());
        const DeviceCaps caps = runner_->device().caps();
        Tracing tracing(options_, *runner_, timeline_);
        if (auto run = tracing.run(terminal_); !run) return pass_on(std::move(run));
        runner_.reset();
        const auto after = read_clock(ranks_);
        if (!after) return run_failure(after.error());
        return trace_of(tracing.finish(caps), {.rank = ranks_.rank(),
                                               .name = ranks_.name(ranks_.rank()),
                                               .clock = RankClock(*before, *after)});
    }

    Outcome<void> ended(Failure failure) {
        const bool lost =
            !failure.diagnostics.empty() && failure.diagnostics.front().code == "mpi/lost-rank";
        if (!lost) end_all(ranks_, failure);
        return failed_ranks(ranks_, std::move(failure.diagnostics));
    }

    Outcome<void> write(Json::Value own) {
        const auto all = ranks_.gather(leads() ? Bytes{} : bytes_of(own), 0);
        if (!all) return failed_ranks(ranks_, all.error());
        if (!leads()) return {};
        std::vector<Json::Value> traces;
        traces.push_back(std::move(own));
        for (std::size_t rank = 1; rank < all->size(); ++rank)
            traces.push_back(json_of((*all)[rank]));
        double error = 0.0;
        for (const Json::Value& trace : traces)
            error = std::max(error, trace["otherData"]["rank_clock_uncertainty_us"].asDouble());
        const std::string text = trace_json(std::move(traces));
        if (auto written = write_text_file(options_.out, text); !written) return written;
        terminal_.print(fmt::format("wrote {}: {} ranks, whose clocks agree within {:.3g} us; open "
                                    "it in ui.perfetto.dev or chrome://tracing\n",
                                    options_.out, all->size(), error));
        return {};
    }

    const TraceOptions& options_;
    Communicator& ranks_;
    Terminal& terminal_;
    Timeline timeline_;
    std::optional<OpenedConfig> config_;
    std::optional<FrameRunner> runner_;
};

} // namespace

Outcome<void> trace_ranks(const TraceOptions& options, Communicator& ranks, Terminal& terminal) {
    if (ranks.rank() == 0) return told_now(RankTrace(options, ranks, terminal)(), terminal);
    Diagnostics reported; // the first speaks for all
    terminal.keep_for(&reported);
    auto done = RankTrace(options, ranks, terminal)();
    terminal.keep_for(nullptr);
    return done;
}

} // namespace tuff::cli
