#pragma once

#include "apps/shared/arguments.hpp"
#include "apps/shared/common.hpp"
#include "apps/tuff/batch/frame_range.hpp"
#include "apps/tuff/batch/manifest.hpp"
#include "apps/tuff/batch/shard.hpp"
#include "apps/tuff/batch/sweep.hpp"
#include "apps/tuff/report/output_files.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

/// The runs that one command line asks for: which frames, with which parameters, into which files.
namespace tuff::cli {

/// --frames, --time, --fps, --sweep, --shard, --manifest, --force and --list-runs.
struct BatchFlags {
    FrameRange frames;
    std::optional<TimeRange> times; ///< in place of `frames`
    double fps = 60.0;
    std::vector<std::string> sweeps; ///< "NAME=VALUES"
    std::optional<Shard> shard;
    bool manifest = false;
    bool force = false;
    bool list = false;
    bool among_ranks = false; ///< several processes make them

    /// Whether runs are written down, and skipped where they are finished.
    bool keeps_manifest() const {
        return manifest || force || shard || among_ranks || !sweeps.empty();
    }
};

void add_batch_flags(Command& command, BatchFlags& flags);

struct PlannedRun {
    std::uint64_t number = 0; ///< of all runs, from 0
    std::string name;         ///< "sigma=1,exposure=0.5"; empty for the only run
    Settings swept;
    FrameRange frames;
    std::vector<OutputFile> files;
    bool is_part = false; ///< some frames of a run that ranks share out
    bool divided = false; ///< all ranks make it together
};

/// The runs of this shard, with their files below `folders` or where `outs` says. Nothing is
/// written, but all is looked at: also runs of other shards, for no two may write one file. Errors:
/// cli/bad-sweep, cli/too-many-runs, cli/same-file, those of values and of plan_output_files.
Outcome<std::vector<PlannedRun>> plan_runs(const OpenedConfig& config, const ConfigFlags& given,
                                           const BatchFlags& flags,
                                           const std::vector<std::string>& outs,
                                           const OutputFolders& folders);

/// Parts of a run that may be made apart, each with frames of its own; as many for any number of
/// ranks, so that another number finds them finished. One where a file would have several writers.
std::vector<PlannedRun> parts_of(const PlannedRun& run);

/// Outputs that are written to JPEG files, or films of them.
std::set<std::string> jpeg_outputs(const std::vector<PlannedRun>& runs);

/// All files that a run writes, absolute.
std::vector<std::filesystem::path> files_of(const PlannedRun& run);

/// What --list-runs prints: number, state, name and files of each. `finished`: one of each run.
std::string list_of(const std::vector<PlannedRun>& runs, const std::vector<bool>& finished,
                    const TextStyle& style);

} // namespace tuff::cli
