#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace tuff::test {

/// A Slurm of this host alone, without GPUs: munged, slurmctld and slurmd, on ports and with files
/// of their own. They end with it.
class SlurmOfOneHost {
  public:
    /// Starts it, with all its files in `folder`, which is made.
    explicit SlurmOfOneHost(const std::filesystem::path& folder);
    ~SlurmOfOneHost();
    SlurmOfOneHost(const SlurmOfOneHost&) = delete;
    SlurmOfOneHost& operator=(const SlurmOfOneHost&) = delete;

    /// Why it does not run; empty where it does.
    const std::string& problem() const { return problem_; }
    /// For SLURM_CONF.
    std::filesystem::path config() const { return folder_ / "slurm.conf"; }

  private:
    std::string start();
    void start(const std::vector<std::string>& words);
    /// Whether a command succeeds within some seconds and prints `text`.
    bool answers(const std::vector<std::string>& words, const std::string& text) const;

    std::filesystem::path folder_;
    std::vector<pid_t> daemons_;
    std::string problem_;
};

} // namespace tuff::test
