#include "apps/shared/commands.hpp"
#include "apps/shared/flags.hpp"
#include "apps/shared/frame_runner.hpp"
#include "apps/shared/interrupt.hpp"
#include "apps/shared/timing_table.hpp"
#include "apps/shared/video.hpp"
#include "apps/tuff/batch/planned_runs.hpp"
#include "apps/tuff/batch/run_record.hpp"
#include "apps/tuff/report/checkpointing.hpp"
#include "apps/tuff/report/output_files.hpp"
#include "apps/tuff/report/volume_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <system_error>

namespace tuff::cli {
namespace {

struct RunOptions {
    ConfigFlags config;
    CompileFlags compile;
    DeviceFlags device;
    BatchFlags batch;
    std::vector<std::string> outs;
    std::string out_dir;
    std::vector<std::string> allowed;
    bool timings = false;
    bool watch = false;
    CheckpointFlags checkpoints;
};

/// A numbered name is that of a picture, whatever its extension.
bool is_film(const OutputFile& file) {
    return !file.pattern.numbered() && is_video(file.pattern.file(0));
}

/// Fails before anything has run where a file could not be written in the end.
Outcome<void> prepare_files(const PlannedRun& run, const OutputFolders& folders) {
    std::error_code ignored; // a folder that cannot be made shows as unwritable
    for (const OutputFile& file : run.files) {
        const auto first = ready_file(file, run.frames.first, folders);
        if (!first) return std::unexpected(first.error());
        // The folder of the run, in one of the user's.
        if (!run.swept.empty() && !file.configured && first->has_parent_path())
            std::filesystem::create_directory(first->parent_path(), ignored);
        if (auto writable = check_writable(*first); !writable) return writable;
        if (VolumeSeries::has_collection(file))
            if (auto list = ready_collection(file, folders); !list)
                return std::unexpected(list.error());
        if (!is_film(file)) continue;
        if (auto found = check_ffmpeg(); !found) return found;
    }
    return {};
}

/// Whether an execution finds what earlier ones have left.
bool depends_on_earlier_frames(const Plan& plan) {
    return std::ranges::any_of(plan.graph.resources, [](const ResourceDesc& resource) {
        return resource.lifetime == Lifetime::history;
    });
}

/// How the frames of all runs come along, and whether the user has had enough.
struct Watch {
    explicit Watch(Terminal& terminal, std::uint64_t frames) : progress(terminal, frames) {}
    InterruptGuard guard;
    Progress progress;
    std::uint64_t frames = 0; ///< done
};

/// One run: its frames, and the files that they are written to.
class Run {
  public:
    Run(const RunOptions& options, const PlannedRun& plan, const OutputFolders& folders,
        RunRecord& record, Checkpointing& checkpoints, Terminal& terminal)
        : options_(options), plan_(plan), folders_(folders), record_(record), terminal_(terminal),
          checkpoints_(checkpoints) {
        for (const OutputFile& file : plan.files)
            videos_.push_back(is_film(file) ? std::make_unique<VideoWriter>(file.pattern.file(0),
                                                                            options.batch.fps)
                                            : nullptr);
    }

    Outcome<void> operator()(FrameRunner& runner, Watch& watch) {
        Outcome<void> done = run_earlier_frames(runner, watch);
        for (std::int64_t frame = plan_.frames.first; frame < plan_.frames.end && done; ++frame) {
            done = run_frame(runner, frame);
            watch.progress.advance(++watch.frames);
            const bool stops = watch.guard.interrupted();
            if (done) done = checkpoints_.after(runner, frame, stops || is_last(frame));
            keep_new(runner.take_warnings());
            if (done && stops && !is_last(frame))
                done = interrupted(frame + 1 - plan_.frames.first);
        }
        watch.progress.clear();
        auto listed = series_.write(folders_);
        if (done && !listed) done = std::unexpected(listed.error());
        if (listed) std::ranges::move(*listed, std::back_inserter(written_));
        terminal_.report(warnings_);
        if (done && has_errors(warnings_)) done = run_failure(warnings_); // failed assertions
        if (done && options_.compile.watch_finite)
            terminal_.print("all numbers that were watched are finite\n");
        for (const std::string& line : written_)
            terminal_.print(line);
        if (checkpoints_.written())
            terminal_.print(fmt::format("wrote {}\n", checkpoints_.written()->string()));
        terminal_.flush();
        return done;
    }

    const Diagnostics& warnings() const { return warnings_; }

  private:
    bool is_last(std::int64_t frame) const { return frame + 1 == plan_.frames.end; }

    /// Those before the first, where the graph finds in a frame what the one before has left.
    Outcome<void> run_earlier_frames(FrameRunner& runner, Watch& watch) {
        const std::int64_t first = plan_.frames.first;
        if (first == 0 || checkpoints_.is_resumed() || !depends_on_earlier_frames(runner.plan()))
            return {};
        terminal_.report(
            {{.code = "cli/earlier-frames",
              .severity = Severity::note,
              .message = fmt::format("frames 0 to {} are run first and not written, because what "
                                     "follows depends on them",
                                     first - 1)}});
        for (std::int64_t frame = 0; frame < first; ++frame) {
            if (auto run = runner.run(frame_time(frame, options_.batch.fps)); !run) return run;
            keep_new(runner.take_warnings());
            if (auto checked = check_frame(runner, frame); !checked) return checked;
            if (watch.guard.interrupted()) return interrupted(0);
        }
        return {};
    }

    Outcome<void> run_frame(FrameRunner& runner, std::int64_t frame) {
        if (auto run = runner.run(frame_time(frame, options_.batch.fps)); !run) return run;
        keep_new(runner.take_warnings());
        if (auto checked = check_frame(runner, frame); !checked) return checked;
        const bool last = is_last(frame);
        bool is_shown = last;
        for (std::size_t i = 0; i < plan_.files.size(); ++i) {
            const OutputFile& file = plan_.files[i];
            if (!last && !file.pattern.numbered() && !videos_[i]) continue;
            is_shown = true;
            auto fetched = fetch_output(runner.executor(), file.output);
            if (!fetched) return pass_on(std::move(fetched));
            const auto path = ready_file(file, frame, folders_);
            if (!path) return std::unexpected(path.error());
            fetched->geometry = runner.geometry_of(file.output);
            keep_new(clipped_values(file.output, *fetched, *path));
            auto saved = videos_[i] ? add_to_film(*videos_[i], *fetched, last)
                                    : save_output(*fetched, *path, record_.texts(frame));
            if (!saved) return saved;
            if (!videos_[i] || last) record_.add_output(file.output, *path);
            series_.add(file, *path, frame_time(frame, options_.batch.fps).time);
            // Frames of a sequence would fill the screen; their pattern is told by the user.
            if (last) written_.push_back(fmt::format("wrote {}\n", path->string()));
        }
        return is_shown ? keep_warnings(runner) : Outcome<void>{};
    }

    /// Looks at what checks of the frame have found, where there are any. Fails where a node has
    /// written a number that is not finite (--watch-nan); failed assertions are kept.
    Outcome<void> check_frame(FrameRunner& runner, std::int64_t frame) {
        const auto is_check = [](const OutputDesc& status) { return status.reader.names_place(); };
        if (std::ranges::none_of(runner.plan().graph.statuses, is_check)) return {};
        auto found = runner.executor().warnings();
        if (!found) return run_failure(std::move(found.error()));
        std::erase_if(*found, [](const Diagnostic& d) { return d.severity != Severity::error; });
        for (Diagnostic& error : *found)
            error.message += fmt::format(" (frame {})", frame);
        const auto not_finite = std::ranges::find(*found, "graph/not-finite", &Diagnostic::code);
        if (not_finite != found->end()) return run_failure({std::move(*not_finite)});
        keep_new(std::move(*found));
        return {};
    }

    /// Frames repeat their warnings with other numbers: each kind is told once a pass.
    Outcome<void> keep_warnings(FrameRunner& runner) {
        auto found = runner.executor().warnings();
        if (!found) return run_failure(std::move(found.error()));
        // Those have been told with their frame.
        std::erase_if(*found, [](const Diagnostic& d) { return d.severity == Severity::error; });
        keep_new(std::move(*found));
        return {};
    }

    void keep_new(Diagnostics found) {
        for (Diagnostic& warning : found) {
            const std::string_view pass =
                std::string_view(warning.message).substr(0, warning.message.find(':'));
            if (warned_.insert(fmt::format("{} {}", warning.code, pass)).second)
                warnings_.push_back(std::move(warning));
        }
    }

    static Outcome<void> add_to_film(VideoWriter& film, const FetchedOutput& fetched, bool last) {
        if (!fetched.is_image)
            return run_failure(
                fail("cli/video", "a film is made of pictures, and the output is a buffer")
                    .error());
        if (auto added = film.add(fetched.image); !added || !last) return added;
        return film.finish();
    }

    Outcome<void> interrupted(std::int64_t frames) const {
        return run_failure(
            fail("cli/interrupted",
                 fmt::format("interrupted after {} of {} frames", frames, plan_.frames.count()),
                 checkpoints_.written() ? "files written so far are whole; --resume goes on"
                                        : "files written so far are whole")
                .error());
    }

    const RunOptions& options_;
    const PlannedRun& plan_;
    const OutputFolders& folders_;
    RunRecord& record_;
    Terminal& terminal_;
    Checkpointing& checkpoints_;
    VolumeSeries series_;
    std::vector<std::unique_ptr<VideoWriter>> videos_; ///< one a file; null where it is no film
    std::vector<std::string> written_;
    Diagnostics warnings_; ///< what passes said of the frames that were written; pools that grew
    std::set<std::string> warned_;
};

/// All runs that the command line asks for, one after the other on one device.
class Runs {
  public:
    Runs(const RunOptions& options, Terminal& terminal)
        : options_(options),
          terminal_(terminal), folders_{.out_dir = options.out_dir,
                                        .more = {options.allowed.begin(), options.allowed.end()}},
          checkpoints_(options.checkpoints, options.out_dir, options.batch.fps) {}

    Outcome<void> operator()() {
        auto config = OpenedConfig::open(options_.config, terminal_);
        if (!config) return pass_on(std::move(config));
        auto runs = plan_runs(*config, options_.config, options_.batch, options_.outs, folders_);
        if (!runs) return pass_on(std::move(runs));
        if (!runs->empty() && runs->front().files.empty())
            terminal_.report({{.code = "cli/nothing-written",
                               .severity = Severity::warning,
                               .message = "no output of the config names a file",
                               .hint = "--out FILE writes the first output"}});
        if (checkpoints_.asked_for())
            if (auto found = find_checkpoint(*config, *runs); !found) return found;
        sources_ = sources_of(*config, options_.config);
        if (auto found = find_finished(*runs); !found) return found;
        if (options_.batch.list) {
            terminal_.print(list_of(*runs, finished_, terminal_.output_style()));
            return {};
        }
        std::vector<PlannedRun> to_do;
        for (std::size_t i = 0; i < runs->size(); ++i)
            if (!finished_[i]) to_do.push_back(std::move((*runs)[i]));
        if (const std::size_t skipped = runs->size() - to_do.size(); skipped > 0)
            terminal_.print(
                fmt::format("skipped {}: finished as before\n", counted(skipped, "run")));
        return run_all(*config, to_do);
    }

  private:
    /// Where the only run goes on.
    Outcome<void> find_checkpoint(const OpenedConfig& config, std::vector<PlannedRun>& runs) {
        const bool one = runs.size() == 1 && options_.batch.sweeps.empty() && !options_.batch.shard;
        if (!one || runs.front().frames.first != 0)
            return usage_failure(fail("checkpoint/one-run",
                                      "checkpoints are of one run that begins with frame 0",
                                      "leave --sweep, --shard and the first frame of --frames out")
                                     .error());
        PlannedRun& run = runs.front();
        if (auto found = checkpoints_.prepare(config, options_.config, run.frames.end); !found)
            return found;
        for (const OutputFile& file : run.files)
            if (is_film(file))
                if (auto fits = checkpoints_.check_film(file.pattern.file(0)); !fits) return fits;
        run.frames.first = checkpoints_.first_frame();
        return {};
    }

    Outcome<void> find_finished(const std::vector<PlannedRun>& runs) {
        finished_.assign(runs.size(), false);
        if (!options_.batch.keeps_manifest()) return {};
        auto manifests = Manifests::read(folders_.out_dir, options_.batch.shard.value_or(Shard{}));
        if (!manifests) return pass_on(std::move(manifests));
        manifests_.emplace(std::move(*manifests));
        terminal_.report(manifests_->warnings());
        for (std::size_t i = 0; i < runs.size() && !options_.batch.force; ++i)
            finished_[i] =
                manifests_->take_finished(identity_of(runs[i], options_.config, options_.batch.fps),
                                          sources_, files_of(runs[i]), hashes_);
        return {};
    }

    /// A value that no graph can be built with is told before anything has run. Runs whose graphs
    /// have the same structure come one after the other, so that one plan serves them.
    Outcome<void> build_all(OpenedConfig& config, std::vector<PlannedRun>& runs) {
        if (runs.size() < 2 && !manifests_) return {}; // its own start tells
        constexpr std::size_t kMostKinds = 64;         // that are looked for
        std::vector<GraphDesc> kinds;
        std::map<std::uint64_t, std::size_t> kind_of; // by the run's number
        for (const PlannedRun& run : runs) {
            if (auto set = config.replace_settings(settings_of(run, options_.config)); !set)
                return set;
            auto built = config.build(frame_time(run.frames.first, options_.batch.fps));
            if (!built) return pass_on(std::move(built));
            const auto known = std::ranges::find_if(
                kinds, [&](const GraphDesc& kind) { return same_structure(kind, built->graph); });
            kind_of[run.number] = static_cast<std::size_t>(known - kinds.begin());
            if (known == kinds.end() && kinds.size() < kMostKinds)
                kinds.push_back(std::move(built->graph));
        }
        std::ranges::stable_sort(runs, {},
                                 [&](const PlannedRun& run) { return kind_of.at(run.number); });
        return {};
    }

    Outcome<void> prepare(const std::vector<PlannedRun>& runs) {
        std::error_code ignored; // a folder that cannot be made shows as unwritable
        if (!folders_.out_dir.empty())
            std::filesystem::create_directories(folders_.out_dir, ignored);
        if (manifests_)
            if (auto writable = check_writable(manifests_->file()); !writable) return writable;
        for (const PlannedRun& run : runs)
            if (auto prepared = prepare_files(run, folders_); !prepared) return prepared;
        return {};
    }

    Outcome<void> run_all(OpenedConfig& config, std::vector<PlannedRun>& runs) {
        Outcome<void> done;
        if (!runs.empty()) {
            auto device = open_device(options_.device, terminal_);
            if (device) config.set_target(device->caps());
            if (auto sound = build_all(config, runs); !sound) return sound;
            if (device) // else the start reports why there is none
                if (auto prepared = prepare(runs); !prepared) return prepared;
            done = run_each(config, runs, std::move(device));
        } else if (auto prepared = prepare(runs); !prepared) {
            return prepared;
        }
        // What is finished is written down, whatever became of the rest.
        if (manifests_ && (done || manifests_->has_changed()))
            if (auto written = manifests_->write(); !written && done) return written;
        return done;
    }

    Outcome<void> run_each(OpenedConfig& config, const std::vector<PlannedRun>& runs,
                           Outcome<Device> device) {
        std::uint64_t frames = 0;
        for (const PlannedRun& run : runs)
            frames += static_cast<std::uint64_t>(run.frames.count());
        Watch watch(terminal_, frames);
        std::optional<FrameRunner> runner;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            if (auto done = run_one(config, runs[i], device, runner, watch); !done) return done;
            if (watch.guard.interrupted() && i + 1 < runs.size())
                return run_failure(
                    fail("cli/interrupted",
                         fmt::format("interrupted after {} of {} runs", i + 1, runs.size()),
                         "finished runs are written down; the same command goes on from there")
                        .error());
        }
        if (options_.timings)
            terminal_.print(timing_table(runner->executor().timings(), terminal_.output_style()));
        return {};
    }

    /// The first takes `device`, for `runner`.
    Outcome<void> run_one(OpenedConfig& config, const PlannedRun& run, Outcome<Device>& device,
                          std::optional<FrameRunner>& runner, Watch& watch) {
        if (auto set = config.replace_settings(settings_of(run, options_.config)); !set) return set;
        RunRecord record(run, identity_of(run, options_.config, options_.batch.fps), config,
                         manifests_ ? sources_ : std::vector<std::filesystem::path>(), hashes_);
        const FrameTime first = checkpoints_.is_resumed()
                                    ? checkpoints_.start()
                                    : frame_time(run.frames.first, options_.batch.fps);
        const std::uint32_t compilations = runner ? runner->compilations() : 0;
        if (runner) {
            if (auto begun = runner->begin_again(first); !begun) return begun;
        } else {
            auto started = FrameRunner::start(config, options_.compile, std::move(device), first);
            if (!started) return pass_on(std::move(started));
            runner.emplace(std::move(*started));
        }
        if (auto begun = checkpoints_.begin(*runner, terminal_); !begun) return begun;
        Run frames(options_, run, folders_, record, checkpoints_, terminal_);
        if (auto done = frames(*runner, watch); !done) return done;
        if (auto finished = runner->finish(); !finished) return finished;
        if (!manifests_) return {};
        auto finished = record.finish(*runner, compilations, frames.warnings());
        if (!finished) return pass_on(std::move(finished));
        manifests_->add(*finished);
        return write_now_and_then();
    }

    /// Not after each of ten thousand short runs: those of a second would be repeated at most.
    Outcome<void> write_now_and_then() {
        const auto now = std::chrono::steady_clock::now();
        if (written_ && now - *written_ < std::chrono::seconds(1)) return {};
        written_ = now;
        return manifests_->write();
    }

    const RunOptions& options_;
    Terminal& terminal_;
    OutputFolders folders_;
    Checkpointing checkpoints_;
    std::vector<std::filesystem::path> sources_;
    std::optional<Manifests> manifests_;
    std::vector<bool> finished_; ///< one a run of this shard
    FileHashes hashes_;
    std::optional<std::chrono::steady_clock::time_point> written_; ///< the manifest
};

Outcome<void> run_once_or_watch(RunOptions& options, Terminal& terminal) {
    if (!options.watch) return Runs(options, terminal)();
    options.config.files_read = std::make_shared<FilesRead::element_type>();
    return watch(options.config.files_read, terminal, [&] { return Runs(options, terminal)(); });
}

} // namespace

void add_run_command(Command& app, Action& action) {
    auto options = std::make_shared<RunOptions>();
    options->compile.constant = ConstantWork::once;
    Command* command = app.add_subcommand("run", "Run a config and write its outputs to files");
    add_config_flags(*command, options->config);
    command
        ->add_option("--out", options->outs,
                     "Write the first output to FILE, or output NAME to FILE; %04d in a name "
                     "writes every frame, and FILE.mp4, .gif or .webp makes a film (by ffmpeg)")
        ->type_name("[NAME=]FILE")
        ->repeated();
    command->add_option("--out-dir", options->out_dir, "Folder of the files that the config names")
        ->type_name(std::string(kFolderType));
    command
        ->add_option("--allow-write", options->allowed,
                     "The files that the config names may lie in this folder, too")
        ->type_name(std::string(kFolderType))
        ->repeated();
    add_checkpoint_flags(*command, options->checkpoints);
    command->add_flag("--timings", options->timings, "Print how long each node took on the device");
    add_watch_flag(*command, options->watch);
    add_batch_flags(*command, options->batch);
    add_device_flags(*command, options->device);
    add_compile_flags(*command, options->compile);
    add_kernel_debugging_flags(*command, options->compile);
    command->footer("Examples:\n  tuff run demo --out-dir out\n"
                    "  tuff run demo --set exposure=2 --device lavapipe --out hot.png\n"
                    "  tuff run spin.json --frames 120 --fps 30 --out 'frames/%04d.png'\n"
                    "  tuff run jet --frames 300 --fps 30 --out jet.mp4\n"
                    "  tuff run sim.json --frames 100000 --checkpoint-every 1000 --resume "
                    "checkpoints\n"
                    "  tuff run demo --sweep exposure=-1:1:5 --out-dir out --shard 2/3");
    command->callback([options, &action] {
        action = [options](Terminal& terminal) {
            return within_limits(options->config.confinement,
                                 [&] { return run_once_or_watch(*options, terminal); });
        };
    });
}

} // namespace tuff::cli
