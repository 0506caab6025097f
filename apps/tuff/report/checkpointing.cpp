#include "apps/tuff/report/checkpointing.hpp"

#include "core/file_access.hpp"
#include "gpu/checkpoint/checksum.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

namespace tuff::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSeriesName = "checkpoints";

/// Of the files that the config is made of, and of what was set.
std::string fingerprint_of(const OpenedConfig& config, const ConfigFlags& flags) {
    Checksum sum;
    const auto add = [&](std::string_view part) { // lengths keep parts apart
        sum.add(fmt::format("{} ", part.size()));
        sum.add(part);
    };
    for (const fs::path& file : config.config().files()) {
        std::ifstream stream(file, std::ios::binary);
        add(std::string(std::istreambuf_iterator<char>(stream), {}));
    }
    for (const auto* given : {&flags.sets, &flags.inputs})
        for (const std::string& one : *given)
            add(one);
    return sum.text();
}

std::unexpected<Failure> refuse(std::string_view code, const fs::path& place, std::string message,
                                std::string hint) {
    return usage_failure(fail({.code = std::string(code),
                               .message = std::move(message),
                               .where = {.file = place.string()},
                               .hint = std::move(hint)})
                             .error());
}

bool is_same_folder(const fs::path& a, const fs::path& b) {
    std::error_code error;
    return fs::equivalent(a, b, error) && !error;
}

/// The folder that a checkpoint of a series lies in.
fs::path folder_around(const fs::path& checkpoint) {
    const fs::path folder = checkpoint.has_filename() ? checkpoint : checkpoint.parent_path();
    return folder.has_parent_path() ? folder.parent_path() : fs::path(".");
}

} // namespace

void add_checkpoint_flags(Command& command, CheckpointFlags& flags) {
    command
        .add_option("--checkpoint-every", flags.every,
                    "Write a checkpoint every N frames and after the last; the newest two are kept")
        ->type_name("N")
        ->range(1, 1'000'000'000);
    command
        .add_option(
            "--checkpoint", flags.folder,
            "Folder of the checkpoints; default: that of --resume, or \"checkpoints\" below "
            "--out-dir")
        ->type_name("DIR");
    command
        .add_option("--resume", flags.resume,
                    "Go on after the newest checkpoint in DIR, or after DIR if it is a checkpoint; "
                    "--frames counts from frame 0")
        ->type_name("DIR");
}

Checkpointing::Checkpointing(const CheckpointFlags& flags, fs::path out_dir, double fps)
    : flags_(flags), out_dir_(std::move(out_dir)), fps_(fps),
      keeps_(flags.every > 0 || !flags.folder.empty()) {}

Outcome<void> Checkpointing::prepare(const OpenedConfig& config, const ConfigFlags& flags,
                                     std::int64_t frames) {
    if (!flags_.resume.empty())
        if (auto found = find_resumed(frames); !found) return found;
    if (!flags_.folder.empty())
        series_ = flags_.folder;
    else if (resumed_)
        series_ = folder_around(resumed_->folder);
    else
        series_ = out_dir_ / kSeriesName;
    if (keeps_)
        if (auto free = check_folder(); !free) return free;
    if (!keeps_ && !resumed_) return {};
    run_.config = flags.config;
    run_.fingerprint = fingerprint_of(config, flags);
    return {};
}

Outcome<void> Checkpointing::find_resumed(std::int64_t frames) {
    auto found = newest_checkpoint(flags_.resume);
    if (!found) return usage_failure(std::move(found.error()));
    resumed_ = std::move(*found);
    if (first_frame() < frames) return {};
    return refuse("checkpoint/finished", resumed_->folder,
                  fmt::format("the checkpoint is of frame {}, so that --frames {} leaves none to "
                              "run",
                              resumed_->run.frame, frames),
                  fmt::format("--frames counts from frame 0, also with --resume: give more than "
                              "{}",
                              first_frame()));
}

/// Those of an earlier run would be mistaken for this one's.
Outcome<void> Checkpointing::check_folder() const {
    if (flags_.folder.empty() && !resumed_ && path_below(out_dir_, series_) != kSeriesName)
        return refuse("cli/unsafe-output", series_,
                      "the folder of checkpoints is a link, or cannot be read",
                      "--checkpoint DIR names the folder");
    if (resumed_ && is_same_folder(series_, folder_around(resumed_->folder))) return {};
    const std::vector<fs::path> others = checkpoints_of(series_);
    if (others.empty()) return {};
    return refuse(
        "checkpoint/exists", others.back(),
        "the folder has checkpoints of an earlier run, which this one would replace",
        fmt::format("go on with --resume '{0}', remove '{0}', or name another folder with "
                    "--checkpoint DIR",
                    series_.string()));
}

Outcome<void> Checkpointing::check_film(const fs::path& film) const {
    std::error_code ignored;
    if (!resumed_ || !fs::exists(film, ignored)) return {};
    return refuse("checkpoint/film", film,
                  fmt::format("the film would begin with frame {} and replace a file, which may "
                              "hold the frames before",
                              first_frame()),
                  "name another file for the rest of the film, or write numbered pictures: they go "
                  "on");
}

/// What is not as it was when the checkpoint was written.
Diagnostics Checkpointing::differences() const {
    Diagnostics found;
    if (resumed_->run.fingerprint != run_.fingerprint && !resumed_->run.fingerprint.empty())
        found.push_back({.code = "checkpoint/changed-config",
                         .severity = Severity::warning,
                         .message = fmt::format("the config or what --set gives is not what it was "
                                                "when the checkpoint was written, by '{}'",
                                                resumed_->run.config),
                         .where = {},
                         .hint = "the frames to come are those of the config as it is now"});
    const double now = start().time;
    if (now != resumed_->run.time)
        found.push_back(
            {.code = "checkpoint/time-jumps",
             .severity = Severity::warning,
             .message = fmt::format("frame {} was at {} seconds when the checkpoint "
                                    "was written, and would be at {} now",
                                    resumed_->run.frame, resumed_->run.time, now),
             .where = {},
             .hint = fmt::format("give the --fps of that run: {:g}", 1.0 / resumed_->run.step)});
    return found;
}

Outcome<void> Checkpointing::begin(FrameRunner& runner, Terminal& terminal) {
    if (resumed_) {
        auto notes = runner.resume(*resumed_);
        if (!notes) return pass_on(std::move(notes));
        terminal.report(*notes);
        terminal.report(differences());
    }
    if (keeps_ && runner.executor().histories().empty()) {
        terminal.report({{.code = "checkpoint/nothing-to-keep",
                          .severity = Severity::warning,
                          .message = "the graph has no history, so there are no "
                                     "checkpoints",
                          .where = {},
                          .hint = "every frame can be computed by itself"}});
        keeps_ = false;
    }
    if (!keeps_) return {};
    if (auto ready = prepare_series(series_, runner.ranks()); !ready)
        return usage_failure(std::move(ready.error()));
    return {};
}

Outcome<void> Checkpointing::after(FrameRunner& runner, std::int64_t frame, bool now) {
    const bool due = flags_.every > 0 && (frame + 1) % flags_.every == 0;
    if (!keeps_ || (!due && !now)) return {};
    auto folder = runner.keep(frame_time(frame, fps_), run_, series_);
    if (!folder) return pass_on(std::move(folder));
    written_ = std::move(*folder);
    return {};
}

} // namespace tuff::cli
