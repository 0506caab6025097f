#include "apps/shared/rank_grid.hpp"
#include "apps/tuff/batch/rank_work.hpp"
#include "apps/tuff/batch/runs.hpp"
#include "apps/tuff/ranks/rank_messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <utility>

// One run of a config whose domain several ranks have in parts.
namespace tuff::cli {
namespace {

/// Other ranks wait for messages of this one, so all end.
[[noreturn]] void end_all(Communicator& ranks, const Failure& failure) {
    std::fputs(to_string(with_rank(failure.diagnostics, ranks.name(ranks.rank()))).c_str(), stderr);
    std::fflush(stderr);
    ranks.abort(failure.exit_code);
    std::unreachable();
}

using Grid = std::array<std::uint32_t, 3>;

bool has_lost_rank(const Diagnostics& problems) {
    return std::ranges::find(problems, "mpi/lost-rank", &Diagnostic::code) != problems.end();
}

} // namespace

Outcome<void> Runs::divide_domain(RankWork& work) {
    const Communicator& ranks = *options_.communicator;
    const ConfigDomain* const domain = work.config->config().domain();
    if (!domain && options_.ranks.grid.empty()) return {};
    Grid grid = domain ? domain->ranks : Grid{};
    if (domain && grid[0] == 0)
        grid = best_grid(domain->cells, static_cast<std::uint32_t>(ranks.size()))
                   .value_or(Grid{static_cast<std::uint32_t>(ranks.size()), 1, 1});
    if (!options_.ranks.grid.empty()) {
        const auto asked = read_grid(options_.ranks.grid);
        if (!asked) return usage_failure(asked.error());
        grid = *asked;
    }
    const std::uint64_t size = std::uint64_t{grid[0]} * grid[1] * grid[2];
    const auto started = static_cast<std::uint64_t>(ranks.size());
    if (domain && size != started)
        return usage_failure(
            fail("mpi/grid-size",
                 fmt::format("the domain is divided among {}x{}x{} processes, and {} were started",
                             grid[0], grid[1], grid[2], started),
                 fmt::format("start {}, or divide it otherwise by --ranks", size))
                .error());
    const Ranks own{.grid = grid,
                    .rank = static_cast<std::uint32_t>(ranks.rank()),
                    .communicator = options_.communicator};
    if (auto set = work.config->config().set_ranks(own); !set)
        return usage_failure(std::move(set.error()));
    work.divides_domain = true;
    return {};
}

Outcome<void> Runs::run_together(RankWork& work) {
    Communicator& ranks = *options_.communicator;
    const bool leads = ranks.rank() == 0;
    PlannedRun run = leads ? work.to_do.front() : work.planned.front();
    if (!leads) run.files.clear(); // the first writes them
    if (options_.reported) options_.reported->clear();
    Outcome<ManifestRun> made = [&] {
        Watch watch(terminal_, leads ? static_cast<std::uint64_t>(run.frames.count()) : 0);
        Outcome<Device> device = std::move(*work.device);
        std::optional<FrameRunner> runner;
        auto done = make(*work.config, run, device, runner, watch);
        if (!done && !has_lost_rank(done.error().diagnostics)) end_all(ranks, done.error());
        return done;
    }();
    if (!made) { // the first tells which rank is lost, unless it is that one
        if (!leads && !ranks.lost(0)) made.error().diagnostics.clear();
        return pass_on(std::move(made));
    }
    if (auto told = tell_warnings(); !told) return told;
    if (!leads) return {};
    manifests_->add(*made);
    if (auto written = manifests_->write(); !written) return written;
    terminal_.print(fmt::format("{} ranks have made the run\n", ranks.size()));
    return {};
}

/// Those of all ranks, each kind once.
Outcome<void> Runs::tell_warnings() {
    Communicator& ranks = *options_.communicator;
    Report report;
    if (options_.reported) report.warnings = std::exchange(*options_.reported, {});
    const auto reports = ranks.gather(to_bytes(report), 0);
    if (!reports) return run_failure(reports.error());
    for (std::size_t rank = 1; rank < reports->size(); ++rank)
        for (const Diagnostic& warning : report_of((*reports)[rank]).warnings)
            if (told_.insert(to_string(warning)).second)
                terminal_.report(with_rank({warning}, ranks.name(static_cast<int>(rank))));
    return {};
}

} // namespace tuff::cli
