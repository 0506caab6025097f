#pragma once

#include "apps/tuff/batch/file_hash.hpp"
#include "apps/tuff/batch/manifest.hpp"
#include "apps/tuff/batch/single_run.hpp"

#include <json/value.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tuff::cli {

class Coordinator;
struct RankWork;
struct Statement;

/// All runs that the command line asks for, one after the other on one device.
class Runs {
  public:
    /// What it does is added to `result`, which `--json` prints.
    Runs(const RunOptions& options, Terminal& terminal, Json::Value& result)
        : options_(options), terminal_(terminal),
          result_(result), folders_{.out_dir = options.out_dir,
                                    .more = {options.allowed.begin(), options.allowed.end()}},
          checkpoints_(options.checkpoints, options.out_dir, options.batch.fps) {}

    Outcome<void> operator()();

  private:
    /// Where the only run goes on.
    Outcome<void> find_checkpoint(const OpenedConfig& config, std::vector<PlannedRun>& runs);

    /// Before a device is opened, which RenderDoc would not see else.
    Outcome<void> load_capture(const std::vector<PlannedRun>& runs);

    Outcome<void> find_finished(const std::vector<PlannedRun>& runs);

    /// A value that no graph can be built with is told before anything has run. Runs whose graphs
    /// have the same structure come one after the other, so that one plan serves them.
    Outcome<void> build_all(OpenedConfig& config, std::vector<PlannedRun>& runs);

    Outcome<void> prepare(const std::vector<PlannedRun>& runs);

    /// 0, any number, of what is made in pieces: all of them want one device.
    std::uint64_t expected_frames(const std::vector<PlannedRun>& runs) const;

    /// What several ranks do: rank 0 leads, the others follow. All of them first prepare, in two
    /// steps after which rank 0 decides whether they go on.
    Outcome<void> among_ranks();
    Outcome<void> open_for_ranks(RankWork& work);
    Outcome<void> choose_runs(RankWork& work);
    Outcome<void> take_device(RankWork& work);
    Statement statement_of_rank(RankWork& work, const Outcome<void>& own);
    Outcome<void> check_statements(const std::vector<std::vector<std::byte>>& statements);
    Outcome<void> make_ready(RankWork& work);
    void divide(RankWork& work);
    Outcome<void> lead(RankWork& work);
    Outcome<void> finish_leading(RankWork& work, Outcome<void> done);
    Outcome<void> follow(RankWork& work);
    /// Of a config with a domain: all ranks make one run together. domain_run.cpp has these.
    Outcome<void> divide_domain(RankWork& work);
    Outcome<void> run_together(RankWork& work);
    Outcome<void> tell_warnings();
    /// Of all ranks: how long the last frame took.
    Outcome<void> tell_timings(const ExecutionTimings& own);
    void show_news(Coordinator& coordinator, const RankWork& work, Watch& watch);

    Outcome<void> run_all(OpenedConfig& config, std::vector<PlannedRun>& runs);

    Outcome<void> run_each(OpenedConfig& config, const std::vector<PlannedRun>& runs,
                           Outcome<Device> device);

    /// The first takes `device`, for `runner`.
    Outcome<void> run_one(OpenedConfig& config, const PlannedRun& run, Outcome<Device>& device,
                          std::optional<FrameRunner>& runner, Watch& watch);

    /// The same, but does not write it down: what the manifest would say.
    Outcome<ManifestRun> make(OpenedConfig& config, const PlannedRun& run, Outcome<Device>& device,
                              std::optional<FrameRunner>& runner, Watch& watch);

    /// Not after each of ten thousand short runs: those of a second would be repeated at most.
    Outcome<void> write_now_and_then();

    const RunOptions& options_;
    Terminal& terminal_;
    Json::Value& result_;
    OutputFolders folders_;
    Checkpointing checkpoints_;
    std::vector<std::filesystem::path> sources_;
    std::optional<Manifests> manifests_;
    std::vector<bool> finished_; ///< one a run of this shard
    FileHashes hashes_;
    std::unique_ptr<FrameCapture> capture_; ///< null: none is asked for
    std::int64_t captured_frame_ = 0;
    std::optional<std::chrono::steady_clock::time_point> written_; ///< the manifest
    std::set<std::string> told_; ///< of other ranks, without their names
};

} // namespace tuff::cli
