#pragma once

#include <tuff/executor.hpp>
#include <tuff/history.hpp>
#include <tuff/pools.hpp>
#include <tuff/ranks.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// Checkpoints: the state that a run needs to go on later, a folder of files. manifest.json lists
/// them; each history is a file. docs/checkpoints.md explains the format.
namespace tuff {

/// Facts about a run that the executor does not know.
struct CheckpointRun {
    std::int64_t frame = 0;       ///< the last one that has run
    double time = 0.0;            ///< seconds, of that frame
    double step = 1.0 / 60.0;     ///< seconds since the frame before it
    PoolSizes pools = {};         ///< `GraphRunner::pools`
    std::string config = {};      ///< name of the config, for people; may be empty
    std::string fingerprint = {}; ///< of the config and its settings; may be empty
};

/// A history in a checkpoint.
struct CheckpointHistory {
    HistoryInfo info;          ///< name and description
    std::string file;          ///< its name in the folder
    std::uint64_t bytes = 0;   ///< of the file
    std::string checksum = {}; ///< of the file
};

/// The manifest of a checkpoint.
struct Checkpoint {
    std::filesystem::path folder;             ///< of the checkpoint
    std::string version;                      ///< of the Tuff that wrote it
    std::string device;                       ///< on which it ran
    std::string driver;                       ///< of that device
    CheckpointRun run;                        ///< frame, time and settings
    std::vector<CheckpointHistory> histories; ///< in the graph's order
};

/// Writes a checkpoint of the histories of `executor`. It replaces a checkpoint of that name, but
/// nothing else. A crash or a full disk leaves the old one intact: files go to a folder beside,
/// which is renamed to `folder` once they are on the disk. Waits for the work submitted.
///
/// All of `ranks` write one checkpoint together, the one that a single process would write, and
/// read it together. Histories that are no part of a field must be equal on all of them.
///
/// Errors, the same on all ranks: checkpoint/unwritable, checkpoint/nothing-to-keep (the graph has
/// no history), checkpoint/ranks-differ, and those of `Executor::read_history`.
Result<void> write_checkpoint(Executor& executor, const CheckpointRun& run,
                              const std::filesystem::path& folder, const Ranks& ranks = {});

/// Reads the manifest of one checkpoint. Errors: checkpoint/none (no such folder, or nothing in
/// it), checkpoint/no-manifest, checkpoint/damaged, checkpoint/version (of a later format).
Result<Checkpoint> read_checkpoint(const std::filesystem::path& folder);

/// Restores a checkpoint into an executor with the same histories; its next execution goes on after
/// `Checkpoint::run`. All files are checked before anything changes.
/// Returns a note if it was written on another device or driver, whose results may differ in
/// their last bits (checkpoint/other-device). Errors: checkpoint/other-graph (one for each
/// difference), checkpoint/damaged, and those of `Executor::write_history`.
Result<Diagnostics> restore_checkpoint(Executor& executor, const Checkpoint& checkpoint,
                                       const Ranks& ranks = {});

/// The checkpoints of one run are a *series*: a folder with one folder for each checkpoint,
/// frame_0000000050 for the one before frame 50.
///
/// Makes the folder of a series, checks that it is writable, and removes incomplete checkpoints of
/// runs that ended in the middle of one. Error: checkpoint/unwritable.
Result<void> prepare_series(const std::filesystem::path& series, const Ranks& ranks = {});
/// Writes one more. The newest `keep` checkpoints stay; those of later frames belong to a run that
/// this one replaces, and are removed. Returns its folder. Errors: those of `write_checkpoint`.
Result<std::filesystem::path> add_to_series(Executor& executor, const CheckpointRun& run,
                                            const std::filesystem::path& series,
                                            std::uint32_t keep = 2, const Ranks& ranks = {});
/// The folders of a series that hold a checkpoint, oldest frame first; none if it is not a folder.
std::vector<std::filesystem::path> checkpoints_of(const std::filesystem::path& series);
/// Reads the newest checkpoint of a series, or `folder` itself if it is one. Errors: those of
/// `read_checkpoint`.
Result<Checkpoint> newest_checkpoint(const std::filesystem::path& folder);

} // namespace tuff
