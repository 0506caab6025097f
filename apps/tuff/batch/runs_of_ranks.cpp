#include "apps/shared/rank_device.hpp"
#include "apps/tuff/batch/rank_work.hpp"
#include "apps/tuff/batch/runs.hpp"
#include "apps/tuff/batch/runs_json.hpp"
#include "apps/tuff/ranks/agreement.hpp"
#include "apps/tuff/ranks/coordinator.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tuff_config.hpp>

#include <algorithm>
#include <utility>

// Runs that several ranks share out.
namespace tuff::cli {

namespace {

std::string options_text(const RunOptions& options) {
    const BatchFlags& batch = options.batch;
    std::string text =
        fmt::format("{} {}:{} {} {} {} {} {}", options.out_dir, batch.frames.first,
                    batch.frames.end, batch.fps, batch.times ? batch.times->first : -1.0,
                    batch.times ? batch.times->end.value_or(-1.0) : -1.0,
                    batch.shard ? batch.shard->index : 0, batch.shard ? batch.shard->count : 0);
    const CheckpointFlags& checkpoints = options.checkpoints;
    text += fmt::format(" {} {} {} {}", options.ranks.grid, checkpoints.every, checkpoints.folder,
                        checkpoints.resume);
    for (const auto* list :
         {&options.config.sets, &options.config.inputs, &batch.sweeps, &options.outs}) {
        text += " |";
        for (const std::string& word : *list)
            text += " " + word;
    }
    return text;
}

std::uint64_t frames_of(const std::vector<PlannedRun>& runs) {
    std::uint64_t frames = 0;
    for (const PlannedRun& run : runs)
        frames += static_cast<std::uint64_t>(run.frames.count());
    return frames;
}

/// "3 ranks have made 12 runs: 5, 4, 3".
std::string summary(const std::vector<std::size_t>& made, std::string_view what) {
    std::size_t runs = 0;
    for (const std::size_t count : made)
        runs += count;
    std::string text = fmt::format("{} ranks have made {}", made.size(), counted(runs, what));
    if (made.size() <= 16) {
        text += ":";
        for (std::size_t rank = 0; rank < made.size(); ++rank)
            text += fmt::format("{} {}", rank == 0 ? "" : ",", made[rank]);
    } else {
        const auto [least, most] = std::ranges::minmax(made);
        text += fmt::format(", {} to {} each", least, most);
    }
    return text + "\n";
}

} // namespace

Outcome<void> Runs::among_ranks() {
    Communicator& ranks = *options_.communicator;
    const bool leads = ranks.rank() == 0;
    RankWork work;
    Outcome<void> own = open_for_ranks(work);
    if (leads && own) own = choose_runs(work);
    const auto begins = spread(ranks, own, !work.to_do.empty());
    if (!begins) return failed_ranks(ranks, begins.error());
    if (!begins->go) {
        if (!leads) return silent(begins->exit_code);
        return own && !options_.batch.list ? run_all(*work.config, work.to_do) : own;
    }
    if (own) own = take_device(work);
    const auto statements = ranks.gather(to_bytes(statement_of_rank(work, own)), 0);
    if (!statements) return failed_ranks(ranks, statements.error());
    if (leads && own) own = check_statements(*statements);
    if (leads && own) own = make_ready(work);
    const auto goes_on = spread(ranks, own, true);
    if (!goes_on) return failed_ranks(ranks, goes_on.error());
    if (!goes_on->go) return leads ? own : silent(goes_on->exit_code);
    if (work.divides_domain) return run_together(work);
    return leads ? lead(work) : follow(work);
}

Outcome<void> Runs::open_for_ranks(RankWork& work) {
    auto config = OpenedConfig::open(options_.config, terminal_);
    if (!config) return pass_on(std::move(config));
    work.config.emplace(std::move(*config));
    if (auto divided = divide_domain(work); !divided) return divided;
    auto runs = plan_runs(*work.config, options_.config, options_.batch, options_.outs, folders_);
    if (!runs) return pass_on(std::move(runs));
    work.planned = std::move(*runs);
    if (work.divides_domain && work.planned.size() != 1)
        return usage_failure(fail("cli/usage",
                                  fmt::format("the processes make one run of a domain together, "
                                              "and there are {} runs",
                                              work.planned.size()),
                                  "leave --sweep and --shard out")
                                 .error());
    if (options_.timings && !work.divides_domain)
        return usage_failure(fail("cli/usage", "--timings: several processes share out the runs",
                                  "start one process, or give --mpi off")
                                 .error());
    if (checkpoints_.asked_for()) {
        if (!work.divides_domain)
            return usage_failure(fail("cli/usage",
                                      "checkpoints: several processes share out the runs",
                                      "start one process, or give --mpi off")
                                     .error());
        if (auto found = find_checkpoint(*work.config, work.planned); !found) return found;
    }
    work.config->make_jpegs(jpeg_outputs(work.planned), options_.jpeg_maker);
    sources_ = sources_of(*work.config, options_.config);
    return {};
}

Outcome<void> Runs::choose_runs(RankWork& work) {
    if (auto found = find_finished(work.planned); !found) return found;
    if (options_.batch.list) {
        for (std::size_t i = 0; i < work.planned.size(); ++i)
            result_["runs"].append(run_json(work.planned[i], finished_[i]));
        terminal_.print(list_of(work.planned, finished_, terminal_.output_style()));
        return {};
    }
    for (std::size_t i = 0; i < work.planned.size(); ++i)
        if (finished_[i])
            result_["runs"].append(run_json(work.planned[i], true));
        else
            work.to_do.push_back(work.planned[i]);
    if (const std::size_t skipped = work.planned.size() - work.to_do.size(); skipped > 0)
        terminal_.print(fmt::format("skipped {}: finished as before\n", counted(skipped, "run")));
    return {};
}

Outcome<void> Runs::take_device(RankWork& work) {
    DeviceFlags flags = options_.device;
    if (const auto devices = list_devices())
        flags.select = device_of_rank(flags.select, *devices, options_.communicator->local_rank());
    auto device = open_device(flags, terminal_);
    if (!device) return pass_on(std::move(device));
    work.config->set_target(device->caps());
    result_["device"] = device_json(device->caps());
    work.device.emplace(std::move(*device));
    const PlannedRun& first = work.planned.front();
    if (auto set = work.config->replace_settings(settings_of(first, options_.config)); !set)
        return set;
    auto built = work.config->build(frame_time(first.frames.first, options_.batch.fps));
    if (!built) return pass_on(std::move(built));
    work.has_history =
        std::ranges::any_of(built->graph.resources, [](const ResourceDesc& resource) {
            return resource.lifetime == Lifetime::history;
        });
    return {};
}

Statement Runs::statement_of_rank(RankWork& work, const Outcome<void>& own) {
    Statement statement{
        .version = std::string(build_config::kVersion),
        .config = {},
        .options = fmt::format("{} {}", options_text(options_), checkpoints_.first_frame()),
        .precision = {},
        .device = {},
        .problems = {},
        .exit_code = kExitOk};
    if (!own) {
        statement.problems = own.error().diagnostics;
        statement.exit_code = own.error().exit_code;
        return statement;
    }
    describe_rank(statement, *work.config, sources_, hashes_, work.device->caps());
    return statement;
}

Outcome<void> Runs::check_statements(const std::vector<std::vector<std::byte>>& statements) {
    auto warnings = compare_all(*options_.communicator, statements);
    if (!warnings) return pass_on(std::move(warnings));
    terminal_.report(*warnings);
    return {};
}

Outcome<void> Runs::make_ready(RankWork& work) {
    if (auto sound = build_all(*work.config, work.to_do); !sound) return sound;
    if (auto prepared = prepare(work.to_do); !prepared) return prepared;
    if (work.divides_domain) return {};
    if (work.planned.size() == 1) divide(work);
    const auto others = static_cast<std::size_t>(options_.communicator->size() - 1);
    if (work.to_do.size() == 1 && work.to_do.front().frames.count() > 1)
        terminal_.report(
            {{.code = "mpi/one-rank",
              .severity = Severity::note,
              .message = fmt::format("one rank makes all frames, and {} {} with nothing "
                                     "to do, because frames depend on earlier ones or "
                                     "go into one file",
                                     others, others == 1 ? "is left" : "are left"),
              .where = {},
              .hint = "sweep a parameter, or number the frames (frame_%04d.png)"}});
    return {};
}

/// The frames of the only run are shared out, but for parts that are finished.
void Runs::divide(RankWork& work) {
    if (work.has_history || work.to_do.empty()) return;
    work.parts = parts_of(work.to_do.front());
    if (work.parts.size() < 2) return work.parts.clear();
    work.to_do.clear();
    for (const PlannedRun& part : work.parts)
        if (options_.batch.force ||
            !manifests_->take_finished(identity_of(part, options_.config, options_.batch.fps),
                                       sources_, files_of(part), hashes_))
            work.to_do.push_back(part);
}

Outcome<void> Runs::lead(RankWork& work) {
    Coordinator coordinator(*options_.communicator, work.to_do, *manifests_);
    Watch watch(terminal_, frames_of(work.to_do));
    Outcome<Device> device = std::move(*work.device);
    std::optional<FrameRunner> runner;
    const auto look = [&] {
        show_news(coordinator, work, watch);
        if (watch.guard.interrupted()) coordinator.interrupt();
    };
    while (const auto run = coordinator.next(look)) {
        auto made = make(*work.config, work.to_do[*run], device, runner, watch);
        if (made)
            coordinator.finish(*run, manifest_entry(*made, folders_.out_dir));
        else
            coordinator.fail(*run, std::move(made.error()));
        look();
    }
    Outcome<void> done = coordinator.end();
    show_news(coordinator, work, watch);
    watch.progress.clear();
    terminal_.print(summary(coordinator.made(), work.parts.empty() ? "run" : "part"));
    return finish_leading(work, std::move(done));
}

Outcome<void> Runs::finish_leading(RankWork& work, Outcome<void> done) {
    if (done && !work.parts.empty()) {
        std::vector<RunIdentity> parts;
        for (const PlannedRun& part : work.parts)
            parts.push_back(identity_of(part, options_.config, options_.batch.fps));
        manifests_->join_parts(
            identity_of(work.planned.front(), options_.config, options_.batch.fps), parts);
    }
    if (done || manifests_->has_changed())
        if (auto written = manifests_->write(); !written && done) return written;
    return done;
}

void Runs::show_news(Coordinator& coordinator, const RankWork& work, Watch& watch) {
    for (const Coordinator::News& news : coordinator.take_news()) {
        const std::string name = options_.communicator->name(news.rank);
        watch.progress.clear();
        for (const Diagnostic& warning : news.warnings) {
            const bool names_rank = warning.message.contains(name);
            if (told_.insert(to_string(warning)).second)
                terminal_.report(names_rank ? Diagnostics{warning} : with_rank({warning}, name));
        }
        if (!news.made || news.rank == 0) continue;
        const PlannedRun& run = work.to_do[*news.made];
        watch.progress.advance(watch.frames += static_cast<std::uint64_t>(run.frames.count()));
        Json::Value& told = result_["runs"].append(run_json(run, false));
        told["rank"] = news.rank;
        for (const Json::Value& output : news.entry["outputs"]) {
            Json::Value& entry = told["files"].append({});
            entry["output"] = output["output"];
            entry["file"] =
                whole_path(std::filesystem::path(options_.out_dir) / output["file"].asString())
                    .string();
        }
        if (run.is_part) continue;
        watch.progress.clear();
        for (const OutputFile& file : run.files)
            terminal_.print(fmt::format("wrote {} ({})\n",
                                        file.pattern.file(run.frames.end - 1).string(), name));
        terminal_.flush();
    }
}

Outcome<void> Runs::follow(RankWork& work) {
    Communicator& ranks = *options_.communicator;
    Watch watch(terminal_, 0);
    Outcome<Device> device = std::move(*work.device);
    std::optional<FrameRunner> runner;
    options_.reported->clear(); // the first has the same to say of the config
    Report report;
    while (true) {
        report.warnings = std::exchange(*options_.reported, {});
        if (auto sent = ranks.send(0, kReportTag, to_bytes(report)); !sent)
            return failed_ranks(ranks, std::move(sent.error()));
        auto message = ranks.receive(0, kOrderTag);
        if (!message) return failed_ranks(ranks, std::move(message.error()));
        const Order order = order_of(message->bytes);
        if (order.stop) return silent(order.exit_code);
        const auto planned = std::ranges::find(work.planned, order.number, &PlannedRun::number);
        PlannedRun run = *planned;
        run.frames = order.frames;
        run.is_part = order.is_part;
        auto made = make(*work.config, run, device, runner, watch);
        report = {.kind = Report::Kind::finished, .run = order.run};
        if (made) {
            report.entry = manifest_entry(*made, folders_.out_dir);
            continue;
        }
        report.kind = is_device_lost(made.error().diagnostics) ? Report::Kind::device_lost
                                                               : Report::Kind::failed;
        report.problems = made.error().diagnostics;
        report.exit_code = made.error().exit_code;
    }
}

} // namespace tuff::cli
