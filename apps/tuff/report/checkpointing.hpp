#pragma once

#include "apps/shared/arguments.hpp"
#include "apps/shared/frame_runner.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// The checkpoints of `tuff run`: which one it goes on from, and which it writes.
namespace tuff::cli {

/// --checkpoint-every, --checkpoint and --resume.
struct CheckpointFlags {
    std::int64_t every = 0; ///< frames; 0: not asked for
    std::string folder;     ///< of the series; empty: the default
    std::string resume;     ///< a checkpoint or a series; empty: from the first frame
};

void add_checkpoint_flags(Command& command, CheckpointFlags& flags);

class Checkpointing {
  public:
    Checkpointing(const CheckpointFlags& flags, std::filesystem::path out_dir, double fps);

    /// Finds what to go on from. Nothing has run yet, and nothing is written. Errors:
    /// checkpoint/finished (there is no frame left of `frames`), checkpoint/exists (the folder has
    /// those of another run), cli/unsafe-output, and those of `newest_checkpoint`.
    Outcome<void> prepare(const OpenedConfig& config, const ConfigFlags& flags,
                          std::int64_t frames);
    /// A film begins with the frame that a run goes on with. Error: checkpoint/film, of a file that
    /// is there, and may hold the frames before.
    Outcome<void> check_film(const std::filesystem::path& film) const;
    /// Whether it writes any.
    bool keeps() const { return keeps_; }
    bool asked_for() const { return keeps_ || !flags_.resume.empty(); }
    /// Whether it goes on from one.
    bool is_resumed() const { return resumed_.has_value(); }
    /// The first frame to run.
    std::int64_t first_frame() const { return resumed_ ? resumed_->run.frame + 1 : 0; }
    /// The frame whose graph the runner begins with: the one that the checkpoint is of.
    FrameTime start() const { return frame_time(resumed_ ? resumed_->run.frame : 0, fps_); }

    /// Before the first frame. Errors: checkpoint/unwritable, and those of `restore_checkpoint`.
    Outcome<void> begin(FrameRunner& runner, Terminal& terminal);
    /// After a frame; `now`: whatever its number, for it was the last one.
    Outcome<void> after(FrameRunner& runner, std::int64_t frame, bool now);
    /// The last one written.
    const std::optional<std::filesystem::path>& written() const { return written_; }

  private:
    Outcome<void> find_resumed(std::int64_t frames);
    Outcome<void> check_folder() const;
    Diagnostics differences() const;

    CheckpointFlags flags_;
    std::filesystem::path out_dir_;
    double fps_;
    std::filesystem::path series_;
    std::optional<Checkpoint> resumed_;
    CheckpointRun run_; ///< what all of them say
    bool keeps_ = false;
    std::optional<std::filesystem::path> written_;
};

} // namespace tuff::cli
