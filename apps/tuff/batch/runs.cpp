#include "apps/tuff/batch/runs.hpp"

#include "apps/shared/timing_table.hpp"
#include "apps/tuff/batch/runs_json.hpp"
#include "apps/tuff/report/own_part.hpp"
#include "apps/tuff/report/timing_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <system_error>
#include <utility>

namespace tuff::cli {
namespace {

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
        if (!is_film(file) || !is_video(file.pattern.file(0))) continue;
        if (auto found = check_ffmpeg(); !found) return found;
    }
    return {};
}

} // namespace

Outcome<void> Runs::operator()() {
    result_["runs"] = Json::Value(Json::arrayValue);
    if (options_.communicator) return among_ranks();
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
    for (std::size_t i = 0; i < runs->size(); ++i)
        if (options_.batch.list || finished_[i])
            result_["runs"].append(run_json((*runs)[i], finished_[i]));
    if (options_.batch.list) {
        terminal_.print(list_of(*runs, finished_, terminal_.output_style()));
        return {};
    }
    config->make_jpegs(jpeg_outputs(*runs), options_.jpeg_maker);
    std::vector<PlannedRun> to_do;
    for (std::size_t i = 0; i < runs->size(); ++i)
        if (!finished_[i]) to_do.push_back(std::move((*runs)[i]));
    if (const std::size_t skipped = runs->size() - to_do.size(); skipped > 0)
        terminal_.print(fmt::format("skipped {}: finished as before\n", counted(skipped, "run")));
    return run_all(*config, to_do);
}

Outcome<void> Runs::find_checkpoint(const OpenedConfig& config, std::vector<PlannedRun>& runs) {
    const bool one = runs.size() == 1 && options_.batch.sweeps.empty() && !options_.batch.shard;
    if (!one || runs.front().frames.first != 0)
        return usage_failure(fail("checkpoint/one-run",
                                  "checkpoints need a single run that begins with frame 0",
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

Outcome<void> Runs::load_capture(const std::vector<PlannedRun>& runs) {
    const CaptureFlags& flags = options_.capture;
    if (flags.file.empty() && !flags.frame) return {};
    if (flags.file.empty())
        return usage_failure(fail("cli/bad-capture",
                                  "--capture-frame says which frame to capture, "
                                  "and nothing is to be captured",
                                  "--capture FILE.rdc names the file")
                                 .error());
    if (runs.size() != 1)
        return usage_failure(fail("cli/bad-capture",
                                  fmt::format("one run is captured, and there are {}", runs.size()),
                                  "give --set in place of --sweep")
                                 .error());
    const auto& frames = runs.front().frames;
    captured_frame_ = flags.frame.value_or(frames.end - 1);
    if (captured_frame_ < frames.first || captured_frame_ >= frames.end)
        return usage_failure(fail("cli/bad-capture",
                                  fmt::format("frame {} is not run: the first one is {}, the last "
                                              "one {}",
                                              captured_frame_, frames.first, frames.end - 1),
                                  "--frames says which frames are run")
                                 .error());
    auto loaded = load_frame_capture(flags.file);
    if (!loaded) return pass_on(std::move(loaded));
    capture_ = std::move(*loaded);
    return {};
}

Outcome<void> Runs::find_finished(const std::vector<PlannedRun>& runs) {
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

Outcome<void> Runs::build_all(OpenedConfig& config, std::vector<PlannedRun>& runs) {
    if (runs.size() < 2 && !manifests_) return {}; // its own start tells
    constexpr std::size_t kMaxKinds = 64;          // that are looked for
    std::vector<GraphDesc> kinds;
    std::map<std::uint64_t, std::size_t> kind_of; // by the run's number
    for (const PlannedRun& run : runs) {
        if (auto set = config.replace_settings(settings_of(run, options_.config)); !set) return set;
        auto built = config.build(frame_time(run.frames.first, options_.batch.fps));
        if (!built) return pass_on(std::move(built));
        const auto known = std::ranges::find_if(
            kinds, [&](const GraphDesc& kind) { return same_structure(kind, built->graph); });
        kind_of[run.number] = static_cast<std::size_t>(known - kinds.begin());
        if (known == kinds.end() && kinds.size() < kMaxKinds)
            kinds.push_back(std::move(built->graph));
    }
    std::ranges::stable_sort(runs, {},
                             [&](const PlannedRun& run) { return kind_of.at(run.number); });
    return {};
}

Outcome<void> Runs::prepare(const std::vector<PlannedRun>& runs) {
    std::error_code ignored; // a folder that cannot be made shows as unwritable
    if (!folders_.out_dir.empty()) std::filesystem::create_directories(folders_.out_dir, ignored);
    if (manifests_)
        if (auto writable = check_writable(manifests_->file()); !writable) return writable;
    for (const PlannedRun& run : runs)
        if (auto prepared = prepare_files(run, folders_); !prepared) return prepared;
    return {};
}

std::uint64_t Runs::expected_frames(const std::vector<PlannedRun>& runs) const {
    if (options_.batch.keeps_manifest() || checkpoints_.asked_for() || options_.watch) return 0;
    return static_cast<std::uint64_t>(runs.front().frames.end);
}

Outcome<void> Runs::run_all(OpenedConfig& config, std::vector<PlannedRun>& runs) {
    Outcome<void> done;
    if (!runs.empty()) {
        if (auto loaded = load_capture(runs); !loaded) return loaded;
        DeviceFlags flags = options_.device;
        flags.frames = expected_frames(runs);
        auto device = open_device(flags, terminal_);
        if (!device && capture_)
            device.error().diagnostics = explain_capture(std::move(device.error().diagnostics));
        if (device) {
            config.set_target(device->caps());
            result_["device"] = device_json(device->caps());
        }
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

Outcome<void> Runs::run_each(OpenedConfig& config, const std::vector<PlannedRun>& runs,
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
                     "finished runs are recorded; the same command goes on from there")
                    .error());
    }
    if (capture_) {
        result_["capture"] = capture_->file().string();
        terminal_.print(fmt::format("wrote {}: frame {}, for RenderDoc\n",
                                    capture_->file().string(), captured_frame_));
    }
    if (options_.timings) {
        result_["timings"] = timing_json(runner->executor().timings());
        terminal_.print(timing_table(runner->executor().timings(), terminal_.output_style()));
    }
    return {};
}

Outcome<void> Runs::run_one(OpenedConfig& config, const PlannedRun& run, Outcome<Device>& device,
                            std::optional<FrameRunner>& runner, Watch& watch) {
    auto made = make(config, run, device, runner, watch);
    if (!made) return pass_on(std::move(made));
    if (!manifests_) return {};
    manifests_->add(*made);
    return write_now_and_then();
}

Outcome<ManifestRun> Runs::make(OpenedConfig& config, const PlannedRun& run,
                                Outcome<Device>& device, std::optional<FrameRunner>& runner,
                                Watch& watch) {
    if (auto set = config.replace_settings(settings_of(run, options_.config)); !set)
        return pass_on(std::move(set));
    RunRecord record(run, identity_of(run, options_.config, options_.batch.fps), config,
                     options_.batch.keeps_manifest() ? &hashes_ : nullptr);
    record.add_inputs(sources_);
    const FrameTime first = checkpoints_.is_resumed()
                                ? checkpoints_.start()
                                : frame_time(run.frames.first, options_.batch.fps);
    const std::uint32_t compilations = runner ? runner->compilations() : 0;
    if (runner) {
        if (auto begun = runner->begin_again(first); !begun) return pass_on(std::move(begun));
    } else {
        auto started = FrameRunner::start(config, options_.compile, std::move(device), first);
        if (!started) return pass_on(std::move(started));
        runner.emplace(std::move(*started));
        if (capture_) runner->capture(*capture_, captured_frame_);
        if (const DeviceCaps& caps = runner->device().caps(); caps.type == DeviceType::cpu)
            terminal_.print(fmt::format("on {}, a software device\n", caps.name));
    }
    if (runner->ranks().rank == 0) terminal_.report(own_part_note(runner->nodes()));
    if (auto begun = checkpoints_.begin(*runner, terminal_); !begun)
        return pass_on(std::move(begun));
    Run frames(options_, run, folders_, record, checkpoints_, terminal_);
    auto done = frames(*runner, watch);
    Json::Value& told = result_["runs"].append(run_json(run, false));
    for (const auto& [output, file] : record.written()) {
        Json::Value& entry = told["files"].append({});
        entry["output"] = output;
        entry["file"] = file.string();
    }
    if (!done) return pass_on(std::move(done));
    if (auto finished = runner->finish(); !finished) return pass_on(std::move(finished));
    // Of ranks that make a run together the first writes it down, once all files are whole.
    if (!options_.batch.keeps_manifest() || (run.divided && runner->ranks().rank != 0))
        return ManifestRun{};
    return record.finish(*runner, compilations, frames.warnings());
}

Outcome<void> Runs::write_now_and_then() {
    const auto now = std::chrono::steady_clock::now();
    if (written_ && now - *written_ < std::chrono::seconds(1)) return {};
    written_ = now;
    return manifests_->write();
}

} // namespace tuff::cli
