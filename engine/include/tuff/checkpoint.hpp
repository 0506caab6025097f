#pragma once

#include <tuff/executor.hpp>
#include <tuff/history.hpp>
#include <tuff/pools.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// Checkpoints: what a run needs to go on later, as a folder of files. manifest.json says what they
/// are; each history has a file of its own. docs/checkpoints.md explains the format.
namespace tuff {

/// What a host knows of its run and an executor does not.
struct CheckpointRun {
    std::int64_t frame = 0;       ///< the last one that has run
    double time = 0.0;            ///< seconds, of that frame
    double step = 1.0 / 60.0;     ///< seconds since the frame before it
    PoolSizes pools = {};         ///< `GraphRunner::pools`
    std::string config = {};      ///< what runs, for people; may be empty
    std::string fingerprint = {}; ///< of the config and what was set; may be empty
};

/// A history in a checkpoint.
struct CheckpointHistory {
    HistoryInfo info;          ///< what it is
    std::string file;          ///< its name in the folder
    std::uint64_t bytes = 0;   ///< of the file
    std::string checksum = {}; ///< of the file
};

/// What the manifest of a checkpoint says.
struct Checkpoint {
    std::filesystem::path folder;             ///< where it lies
    std::string version;                      ///< of the Tuff that has written it
    std::string device;                       ///< on which it ran
    std::string driver;                       ///< of that device
    CheckpointRun run;                        ///< where it stood
    std::vector<CheckpointHistory> histories; ///< in the graph's order
};

/// Writes a checkpoint of what `executor` leaves, in place of one of that name and of nothing else.
/// Whoever ends in the middle, or has no room, leaves what was there before: files go to a folder
/// beside, which gets the name `folder` once they are on the disk. Waits for the work submitted.
/// Errors: checkpoint/unwritable, checkpoint/nothing-to-keep (the graph has no history), and those
/// of `Executor::read_history`.
Result<void> write_checkpoint(Executor& executor, const CheckpointRun& run,
                              const std::filesystem::path& folder);

/// Reads the manifest of one checkpoint. Errors: checkpoint/none (no such folder, or nothing in
/// it), checkpoint/no-manifest, checkpoint/damaged, checkpoint/version (of a later format).
Result<Checkpoint> read_checkpoint(const std::filesystem::path& folder);

/// Brings a checkpoint into an executor of the same histories, whose next execution then does what
/// the one after `Checkpoint::run` would have done. All files are checked before anything changes.
/// Returns a note where it was written on another device or driver, whose results may differ in
/// their last bits (checkpoint/other-device). Errors: checkpoint/other-graph (one for each
/// difference), checkpoint/damaged, and those of `Executor::write_history`.
Result<Diagnostics> restore_checkpoint(Executor& executor, const Checkpoint& checkpoint);

/// The checkpoints of one run are a *series*: a folder with a folder each, frame_0000000050 for
/// that after which frame 50 comes.
///
/// Makes the folder of a series, tries whether it can be written to, and removes what runs that
/// were ended in the middle of a checkpoint have left. Error: checkpoint/unwritable.
Result<void> prepare_series(const std::filesystem::path& series);
/// Writes one more. Of the others the newest stay, `keep` in all; those of later frames are of a
/// run that this one replaces, and go. Returns its folder. Errors: those of `write_checkpoint`.
Result<std::filesystem::path> add_to_series(Executor& executor, const CheckpointRun& run,
                                            const std::filesystem::path& series,
                                            std::uint32_t keep = 2);
/// The folders of a series that hold a checkpoint, oldest frame first; none of what is no folder.
std::vector<std::filesystem::path> checkpoints_of(const std::filesystem::path& series);
/// Reads the newest of a series, or the one that `folder` itself is. Errors: those of
/// `read_checkpoint`.
Result<Checkpoint> newest_checkpoint(const std::filesystem::path& folder);

} // namespace tuff
