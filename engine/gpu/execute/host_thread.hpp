#pragma once

#include "gpu/execute/plan_resources.hpp"
#include "gpu/execute/submitter.hpp"

#include <tuff/plan.hpp>
#include <tuff/timeline.hpp>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

namespace tuff {

/// Runs the host nodes of a plan, one after the other in the order of the plan, on a thread of its
/// own, which also hands the plan's executions over to the device: in turns, between which the host
/// works. Each of the host's submissions waits for semaphores of the device.
///
/// A node that fails ends the work: no later one runs, in any execution. The device gets its turns
/// all the same, so that nothing waits for ever.
class HostThread {
  public:
    /// `plan` has host nodes. All of them outlive the thread. Times of the last `kept` executions
    /// are kept.
    HostThread(const Plan& plan, const PlanResources& resources, Submitter& submitter,
               std::size_t kept);
    /// The device is done with all executions, or lost.
    ~HostThread();
    HostThread(const HostThread&) = delete;
    HostThread& operator=(const HostThread&) = delete;

    /// An execution, as for Submitter::submit.
    struct Job {
        std::uint64_t execution = 0;
        std::span<const VkCommandBufferSubmitInfo> commands; ///< kept until the execution has ended
        std::vector<VkSemaphoreSubmitInfo> wait;
        std::vector<VkSemaphoreSubmitInfo> signal;
    };
    /// Has an execution handed over, after those before it.
    void execute(Job job);
    /// Waits until all of an execution has been handed over.
    void wait_for(std::uint64_t execution) const;
    /// What the first node that failed says.
    Result<void> failure() const;
    /// How long the node at `position` of Plan::order took in an execution, one of those kept.
    NodeTiming timing(std::uint32_t position, std::uint64_t execution) const;

  private:
    struct Node {
        HostTask* task = nullptr;
        std::string name;
        std::uint32_t position = 0; ///< in Plan::order
        std::vector<std::span<const std::byte>> read;
        std::vector<std::span<std::byte>> written;
        std::uint64_t bytes_read = 0;
        std::uint64_t bytes_written = 0;
    };
    /// Of a node in one execution.
    struct Times {
        HostTime asked = 0; ///< when the thread began to wait for the device
        HostTime begin = 0;
        HostTime end = 0;
    };
    struct Call {
        std::uint32_t first_node = 0; ///< into nodes_
        std::uint32_t node_count = 0;
    };

    void add_node(const Plan& plan, const PlanResources& resources, std::uint32_t position);
    void work();
    void run(const Job& job);
    bool submit_turn(std::uint64_t execution, std::uint32_t turn);
    bool wait_for_device(std::uint64_t execution, std::uint32_t turn);
    void run_node(std::size_t node, std::uint64_t execution, HostTime asked);
    std::size_t place_of(std::size_t node, std::uint64_t execution) const {
        return static_cast<std::size_t>(execution % kept_) * nodes_.size() + node;
    }
    void fail_with(Diagnostics why);

    Submitter& submitter_;
    std::vector<Node> nodes_;
    std::vector<Call> calls_;                                ///< by the submissions of the host
    std::unordered_map<std::uint32_t, std::size_t> node_at_; ///< by position in Plan::order
    std::size_t kept_;
    std::atomic<bool> failed_ = false;
    std::atomic<bool> stopping_ = false;
    mutable std::mutex mutex_; ///< guards what follows
    std::condition_variable job_waits_;
    mutable std::condition_variable job_ended_;
    std::uint64_t ended_ = 0; ///< the last execution that is handed over
    std::deque<Job> jobs_;
    std::vector<Times> times_; ///< see `place_of`
    Diagnostics why_;
    std::thread thread_; ///< last: it uses all of the above
};

} // namespace tuff
