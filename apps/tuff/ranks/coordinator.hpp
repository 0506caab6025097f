#pragma once

#include "apps/shared/outcome.hpp"
#include "apps/tuff/batch/manifest.hpp"
#include "apps/tuff/batch/planned_runs.hpp"
#include "apps/tuff/ranks/rank_messages.hpp"
#include "apps/tuff/ranks/work_list.hpp"

#include <tuff/communicator.hpp>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <vector>

namespace tuff::cli {

/// Rank 0's part beside its own runs: a thread of its own hands out runs to the other ranks, writes
/// down what they have made, and hands out again what lost ranks have not.
class Coordinator {
  public:
    /// What there is to show, by the thread that shows things.
    struct News {
        std::int32_t rank = 0;
        std::optional<std::size_t> made; ///< a run
        Json::Value entry;               ///< of the manifest
        Diagnostics warnings;
    };

    Coordinator(Communicator& ranks, const std::vector<PlannedRun>& runs, Manifests& manifests);
    ~Coordinator();
    Coordinator(const Coordinator&) = delete;
    Coordinator& operator=(const Coordinator&) = delete;

    /// The next run for rank 0 itself. Waits for one that may have to be made again until all is
    /// done, and calls `look` meanwhile. Nothing: the end.
    std::optional<std::size_t> next(const std::function<void()>& look);
    /// Rank 0 has made a run.
    void finish(std::size_t run, Json::Value entry);
    /// Rank 0 has failed at it.
    void fail(std::size_t run, Failure failure);
    /// Hands out nothing more.
    void interrupt();

    std::vector<News> take_news();
    /// Waits until all is done and all ranks know. How it went.
    Outcome<void> end();
    /// How many runs each rank has made.
    const std::vector<std::size_t>& made() const { return made_; }

  private:
    void serve();
    bool hear(); ///< whether there was something
    void take(const Report& report, std::int32_t from);
    void take_finished(std::size_t run, std::int32_t rank, Json::Value entry);
    void take_failure(std::size_t run, std::int32_t rank, Failure failure);
    void lose_device(std::int32_t rank, const Diagnostics& problems);
    void find_lost();
    void look_for_end();
    void hand_out();
    void write_now_and_then();
    void stop_all();
    std::string name_of(std::size_t run) const;
    Outcome<void> outcome() const;

    Communicator& ranks_;
    const std::vector<PlannedRun>& runs_;
    Manifests& manifests_;
    mutable std::mutex mutex_; ///< of all below
    std::condition_variable changed_;
    WorkList list_;
    std::vector<std::int32_t> idle_;  ///< wait for an order
    std::set<std::int32_t> inactive_; ///< lost, or without a device
    std::vector<News> news_;
    std::vector<std::size_t> made_;
    std::optional<std::pair<std::size_t, Failure>> failure_; ///< of the first run that has one
    bool interrupted_ = false;
    bool ended_ = false;
    bool unwritten_ = false; ///< the manifest
    std::optional<std::chrono::steady_clock::time_point> written_;
    std::thread thread_;
};

/// Whether a failure is that of a device that is lost.
bool is_device_lost(const Diagnostics& problems);

} // namespace tuff::cli
