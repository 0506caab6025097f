#pragma once

#include "apps/shared/frame_runner.hpp"
#include "apps/tuff/batch/manifest.hpp"
#include "apps/tuff/batch/planned_runs.hpp"

#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <vector>

namespace tuff::cli {

/// What a run is known by. `given`: what the command line has set for all runs.
RunIdentity identity_of(const PlannedRun& run, const ConfigFlags& given, double fps);

/// The settings of a run, as `OpenedConfig::replace_settings` takes them.
std::vector<OpenedConfig::Given> settings_of(const PlannedRun& run, const ConfigFlags& given);

/// Files that every run of the config reads: configs, kernels and users' modules. Absolute.
std::vector<std::filesystem::path> sources_of(const OpenedConfig& config, const ConfigFlags& given);

/// Notes what a run is made of while it runs.
class RunRecord {
  public:
    /// Without `hashes` nobody asks what files it is made of.
    RunRecord(const PlannedRun& run, RunIdentity identity, const OpenedConfig& config,
              FileHashes* hashes);

    /// Hashes the files among these that it does not know yet. Called before anything runs and
    /// after each frame, so that they are hashed as they were when they were read.
    template <typename Files>
    void add_inputs(const Files& files) {
        for (const std::filesystem::path& file : files)
            if (hashes_ && inputs_.insert(file).second) add_input(file);
    }

    /// Texts for a picture of a frame.
    std::vector<ImageText> texts(std::int64_t frame) const;
    /// Notes a file that is whole, and the files that it lists.
    void add_output(const std::string& output, const std::filesystem::path& file,
                    const std::vector<std::filesystem::path>& pieces = {});
    /// The files that are whole so far, each with the name of its output.
    const std::vector<std::pair<std::string, std::filesystem::path>>& written() const {
        return written_;
    }
    /// The run as it is written down. Error: cli/unreadable, an output that is gone already.
    Outcome<ManifestRun> finish(const FrameRunner& runner, std::uint32_t compilations_before,
                                const Diagnostics& warnings);

  private:
    using Clock = std::chrono::steady_clock;

    void add_input(const std::filesystem::path& file);

    FileHashes* hashes_;
    ManifestRun run_;
    std::set<std::filesystem::path> inputs_;
    std::vector<ImageText> texts_;
    std::vector<std::pair<std::string, std::filesystem::path>> written_;
    std::map<std::filesystem::path, std::vector<std::filesystem::path>> pieces_; ///< by file
    Clock::time_point begin_ = Clock::now();
};

} // namespace tuff::cli
