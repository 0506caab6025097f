#pragma once

#include "gpu/device/owned.hpp"

#include <tuff/plan.hpp>

#include <array>
#include <span>
#include <vector>

namespace tuff {

/// Hands the submissions of a plan to the device's queues, ordered by one timeline semaphore a
/// queue. Everything is laid out once; an execution only counts the semaphores on.
///
/// Where the plan has work of the host, HostThread hands over each execution, turn by turn: what
/// waits for the host is submitted when the host has ended. So its writes come before a submission,
/// which makes them visible to the device.
class Submitter {
  public:
    /// Error `gpu/plan-queues` where the device lacks a queue of the plan.
    static Result<Submitter> create(const DeviceImpl& device, const Plan& plan);

    /// The commands of submission `i` begin at `first_commands[i]` and end where those of the next
    /// begin; one number more than there are submissions.
    void set_commands(std::vector<std::uint32_t> first_commands);

    /// Submits an execution, which are counted from 1, one after another. The first work of the
    /// graphics queue also waits for `wait`, its last also signals `signal`. After an error the
    /// same execution may be submitted again. Not where the host has work.
    Result<void> submit(std::uint64_t execution,
                        std::span<const VkCommandBufferSubmitInfo> commands,
                        std::span<const VkSemaphoreSubmitInfo> wait,
                        std::span<const VkSemaphoreSubmitInfo> signal);

    /// Where the host has work: begins an execution. Its turns follow, from 0 to
    /// `host_submissions`.
    void begin(std::uint64_t execution, std::span<const VkCommandBufferSubmitInfo> commands,
               std::span<const VkSemaphoreSubmitInfo> wait,
               std::span<const VkSemaphoreSubmitInfo> signal);
    /// Submits what comes after so many submissions of the host.
    Result<void> submit_turn(std::uint32_t turn) const;
    /// After an error: waits for what was submitted, and has the semaphores pass the execution's
    /// end, so that nobody waits for ever.
    void pass_end(std::uint64_t execution) const;
    Result<void> wait_for(std::uint64_t execution) const;
    /// Waits until the queues have let go of the semaphores, so that these may end.
    void settle() const;
    /// Executions that have finished.
    Result<std::uint64_t> finished() const;

    /// Number of submissions of the host in an execution.
    std::uint32_t host_submissions() const {
        return static_cast<std::uint32_t>(host_calls_.size());
    }
    /// Waits until the host may begin its submission `index`, for at most `nanoseconds`. Returns
    /// whether it may.
    Result<bool> wait_for_host_turn(std::uint32_t index, std::uint64_t execution,
                                    std::uint64_t nanoseconds) const;
    /// The host has ended its submission `index`.
    Result<void> signal_host_turn(std::uint32_t index, std::uint64_t execution) const;

    explicit operator bool() const { return bool(semaphores_[0]); }

  private:
    /// A value that a queue's semaphore passes: `within` submissions into an execution.
    struct Moment {
        Queue queue = Queue::graphics;
        std::uint64_t within = 0;
    };
    /// Submissions that go to the device in one call.
    struct Call {
        DeviceQueue* queue = nullptr;
        std::uint32_t first = 0; ///< into infos_
        std::uint32_t count = 0;
        std::uint32_t turn = 0; ///< submissions of the host that come first
    };

    /// A submission of the host.
    struct HostCall {
        std::vector<VkSemaphore> semaphores; ///< that it waits for
        std::vector<Moment> points;          ///< of each
        std::uint64_t within = 0;            ///< its own, in an execution
    };

    Result<void> create_semaphores(const Plan& plan);
    void lay_out_host(const Plan& plan, std::span<const Moment> ends);
    Result<void> call_queue(const Call& call) const;
    /// Decides which submissions go together, in which order.
    std::vector<std::uint32_t> plan_calls(const Plan& plan);
    void lay_out(const Plan& plan, std::span<const std::uint32_t> order);
    void add(std::vector<VkSemaphoreSubmitInfo>& infos, std::vector<Moment>& points,
             Moment point) const;
    std::uint64_t value(std::uint64_t execution, Moment point) const;
    std::span<const VkSemaphoreSubmitInfo> waits_of(std::size_t info) const {
        return std::span(waits_).subspan(first_waits_[info],
                                         first_waits_[info + 1] - first_waits_[info]);
    }

    const DeviceImpl* device_ = nullptr;
    std::array<OwnedSemaphore, kQueueCount> semaphores_;     ///< null: the plan does not use it
    std::array<std::uint64_t, kQueueCount> per_execution_{}; ///< submissions of each queue
    std::uint64_t skipped_ = 0;                              ///< executions, which nobody counts
    std::vector<HostCall> host_calls_;
    std::vector<Call> calls_;
    std::vector<std::uint32_t> submission_of_; ///< per info
    std::vector<VkSubmitInfo2> infos_;
    // The infos point into these.
    std::vector<VkSemaphoreSubmitInfo> waits_;
    std::vector<VkSemaphoreSubmitInfo> signals_; ///< one an info
    std::vector<Moment> wait_points_;
    std::vector<Moment> signal_points_;
    std::vector<std::uint32_t> first_waits_; ///< per info, into waits_; and their end
    std::vector<std::uint32_t> first_commands_;
    std::size_t first_main_ = 0; ///< into infos_
    std::size_t last_main_ = 0;
    // With a host's beside them; kept for their memory.
    std::vector<VkSemaphoreSubmitInfo> all_waits_;
    std::vector<VkSemaphoreSubmitInfo> all_signals_;
};

} // namespace tuff
