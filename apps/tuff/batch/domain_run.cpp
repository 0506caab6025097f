#include "apps/tuff/batch/rank_work.hpp"
#include "apps/tuff/batch/runs.hpp"
#include "apps/tuff/ranks/agreement.hpp"
#include "apps/tuff/ranks/domain_grid.hpp"
#include "apps/tuff/ranks/rank_messages.hpp"
#include "apps/tuff/report/rank_timings.hpp"
#include "apps/tuff/report/timing_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

// One run of a config whose domain several ranks have in parts.
namespace tuff::cli {
namespace {

/// Checkpoints are written and read by all ranks, which then have the same to say.
bool is_agreed(const Diagnostics& problems) {
    return !problems.empty() && problems.front().code.starts_with("checkpoint/");
}

bool has_lost_rank(const Diagnostics& problems) {
    return std::ranges::find(problems, "mpi/lost-rank", &Diagnostic::code) != problems.end();
}

} // namespace

Outcome<void> Runs::divide_domain(RankWork& work) {
    if (!work.config->config().domain() && options_.ranks.grid.empty()) return {};
    if (auto divided = divide_among(work.config->config(), *options_.communicator, options_.ranks);
        !divided)
        return divided;
    work.divides_domain = true;
    return {};
}

Outcome<void> Runs::run_together(RankWork& work) {
    Communicator& ranks = *options_.communicator;
    const bool leads = ranks.rank() == 0;
    PlannedRun run = leads ? work.to_do.front() : work.planned.front();
    run.divided = true;
    if (!leads) // the first writes all files that are not shared
        std::erase_if(run.files, [](const OutputFile& file) { return !file.of_field; });
    if (options_.reported) options_.reported->clear();
    std::optional<FrameRunner> runner;
    Outcome<ManifestRun> made = [&] {
        Watch watch(terminal_, leads ? static_cast<std::uint64_t>(run.frames.count()) : 0);
        Outcome<Device> device = std::move(*work.device);
        auto done = make(*work.config, run, device, runner, watch);
        if (done || has_lost_rank(done.error().diagnostics) || is_agreed(done.error().diagnostics))
            return done;
        end_all(ranks, done.error());
    }();
    if (!made) { // the first tells which rank is lost, unless it is that one
        if (!leads && !ranks.lost(0)) made.error().diagnostics.clear();
        return pass_on(std::move(made));
    }
    if (auto told = tell_warnings(); !told) return told;
    if (options_.timings)
        if (auto told = tell_timings(runner->executor().timings()); !told) return told;
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

Outcome<void> Runs::tell_timings(const ExecutionTimings& own) {
    Communicator& ranks = *options_.communicator;
    const auto all = ranks.gather(bytes_of(to_json(totals_of(own))), 0);
    if (!all) return run_failure(all.error());
    if (ranks.rank() != 0) return {};
    std::vector<RankTimings> timings;
    result_["timings"] = timing_json(own);
    for (const Bytes& bytes : *all)
        timings.push_back(rank_timings_of(result_["rank_timings"].append(json_of(bytes))));
    terminal_.print(rank_timing_table(timings, terminal_.output_style()));
    return {};
}

} // namespace tuff::cli
