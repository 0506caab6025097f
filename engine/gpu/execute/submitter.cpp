#include "gpu/execute/submitter.hpp"

#include "gpu/device/semaphores.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff {
namespace {

constexpr Queue kQueues[] = {Queue::graphics, Queue::compute, Queue::transfer, Queue::host};

std::size_t index_of(Queue queue) {
    return static_cast<std::size_t>(queue);
}

/// A submission of `queue` waits for what it says, and the first that an execution puts on another
/// queue than the main one for the end of the execution before.
bool follows_previous_execution(const Plan& plan, std::uint32_t submission) {
    const Queue queue = plan.submissions[submission].queue;
    if (queue == Queue::graphics) return false;
    return std::ranges::find(plan.submissions, queue, &Submission::queue) ==
           plan.submissions.begin() + submission;
}

using SemaphoreInfos = std::span<const VkSemaphoreSubmitInfo>;

void set_waits(VkSubmitInfo2& info, SemaphoreInfos waits) {
    info.waitSemaphoreInfoCount = static_cast<std::uint32_t>(waits.size());
    info.pWaitSemaphoreInfos = waits.data();
}

void set_signals(VkSubmitInfo2& info, SemaphoreInfos signals) {
    info.signalSemaphoreInfoCount = static_cast<std::uint32_t>(signals.size());
    info.pSignalSemaphoreInfos = signals.data();
}

/// Both, one after the other, in `memory`.
SemaphoreInfos joined(std::vector<VkSemaphoreSubmitInfo>& memory, SemaphoreInfos first,
                      SemaphoreInfos second) {
    memory.assign(first.begin(), first.end());
    memory.insert(memory.end(), second.begin(), second.end());
    return memory;
}

} // namespace

Result<Submitter> Submitter::create(const DeviceImpl& device, const Plan& plan) {
    for (const Submission& submission : plan.submissions)
        if (submission.queue != Queue::host && !device.queue(submission.queue))
            return fail("gpu/plan-queues",
                        fmt::format("the plan has work for a {} queue, which {} lacks",
                                    submission.queue == Queue::compute ? "compute" : "transfer",
                                    device.caps.name),
                        "compile the graph with the caps of the device that runs it");
    Submitter result;
    result.device_ = &device;
    if (auto ok = result.create_semaphores(plan); !ok) return propagate(std::move(ok));
    result.lay_out(plan, result.plan_calls(plan));
    return result;
}

Result<void> Submitter::create_semaphores(const Plan& plan) {
    for (const Submission& submission : plan.submissions)
        ++per_execution_[index_of(submission.queue)];
    for (const Queue queue : kQueues) {
        if (per_execution_[index_of(queue)] == 0) continue;
        auto made = create_timeline_semaphore(*device_);
        if (!made) return propagate(std::move(made));
        semaphores_[index_of(queue)] = std::move(*made);
    }
    return {};
}

// The earliest submission that is left opens a call; later ones of the same queue join it as long
// as all that they wait for has been handed over before. What does not wait for a submission of the
// host is handed over before that.
std::vector<std::uint32_t> Submitter::plan_calls(const Plan& plan) {
    const auto count = static_cast<std::uint32_t>(plan.submissions.size());
    std::vector<bool> placed(count, false);
    std::vector<std::uint32_t> order;
    std::uint32_t turn = 0;
    const auto is_host = [&](std::uint32_t i) { return plan.submissions[i].queue == Queue::host; };
    const auto ready = [&](std::uint32_t i) {
        const Submission& submission = plan.submissions[i];
        for (std::uint32_t w = 0; w < submission.wait_count; ++w)
            if (!placed[plan.waits[submission.first_wait + w]]) return false;
        return true;
    };
    const auto open_call = [&](std::uint32_t next) {
        DeviceQueue* const queue = device_->queue(plan.submissions[next].queue);
        Call call{.queue = queue, .first = static_cast<std::uint32_t>(order.size()), .turn = turn};
        for (std::uint32_t i = next; i < count; ++i) {
            if (placed[i] || is_host(i) || device_->queue(plan.submissions[i].queue) != queue)
                continue;
            if (!ready(i)) break;
            placed[i] = true;
            order.push_back(i);
        }
        call.count = static_cast<std::uint32_t>(order.size()) - call.first;
        calls_.push_back(call);
    };
    const auto open_ready_calls = [&] {
        std::vector<DeviceQueue*> waiting; // queues whose next submission is not ready
        for (std::uint32_t i = 0; i < count; ++i) {
            if (placed[i] || is_host(i)) continue;
            DeviceQueue* const queue = device_->queue(plan.submissions[i].queue);
            if (std::ranges::find(waiting, queue) != waiting.end()) continue;
            if (ready(i))
                open_call(i);
            else
                waiting.push_back(queue);
        }
    };
    for (std::uint32_t next = 0; next < count; ++next) {
        if (placed[next]) continue;
        if (!is_host(next)) {
            open_call(next);
            continue;
        }
        open_ready_calls();
        placed[next] = true;
        ++turn;
    }
    return order;
}

void Submitter::add(std::vector<VkSemaphoreSubmitInfo>& infos, std::vector<Moment>& points,
                    Moment point) const {
    VkSemaphoreSubmitInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO;
    info.semaphore = semaphores_[index_of(point.queue)].get();
    info.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    infos.push_back(info);
    points.push_back(point);
}

void Submitter::lay_out(const Plan& plan, std::span<const std::uint32_t> order) {
    std::vector<Moment> ends; // per submission
    std::array<std::uint64_t, kQueueCount> counts{};
    for (const Submission& submission : plan.submissions)
        ends.push_back({submission.queue, ++counts[index_of(submission.queue)]});
    for (const std::uint32_t i : order) {
        first_waits_.push_back(static_cast<std::uint32_t>(waits_.size()));
        const Submission& submission = plan.submissions[i];
        if (follows_previous_execution(plan, i)) add(waits_, wait_points_, {Queue::graphics, 0});
        for (std::uint32_t w = 0; w < submission.wait_count; ++w)
            add(waits_, wait_points_, ends[plan.waits[submission.first_wait + w]]);
        add(signals_, signal_points_, ends[i]);
    }
    first_waits_.push_back(static_cast<std::uint32_t>(waits_.size()));
    lay_out_host(plan, ends);
    submission_of_.assign(order.begin(), order.end());
    VkSubmitInfo2 info{};
    info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2;
    infos_.assign(order.size(), info);
    const auto is_main = [&](std::uint32_t submission) {
        return plan.submissions[submission].queue == Queue::graphics;
    };
    const auto first = std::ranges::find_if(submission_of_, is_main);
    const auto last = std::find_if(submission_of_.rbegin(), submission_of_.rend(), is_main);
    first_main_ = static_cast<std::size_t>(first - submission_of_.begin());
    last_main_ = static_cast<std::size_t>(submission_of_.rend() - last) - 1;
}

void Submitter::lay_out_host(const Plan& plan, std::span<const Moment> ends) {
    for (std::uint32_t i = 0; i < plan.submissions.size(); ++i) {
        const Submission& submission = plan.submissions[i];
        if (submission.queue != Queue::host) continue;
        HostCall call{.semaphores = {}, .points = {}, .within = ends[i].within};
        if (follows_previous_execution(plan, i)) call.points.push_back({Queue::graphics, 0});
        for (std::uint32_t w = 0; w < submission.wait_count; ++w)
            call.points.push_back(ends[plan.waits[submission.first_wait + w]]);
        for (const Moment& point : call.points)
            call.semaphores.push_back(semaphores_[index_of(point.queue)].get());
        host_calls_.push_back(std::move(call));
    }
}

void Submitter::set_commands(std::vector<std::uint32_t> first_commands) {
    first_commands_ = std::move(first_commands);
}

std::uint64_t Submitter::value(std::uint64_t execution, Moment point) const {
    return (execution + skipped_ - 1) * per_execution_[index_of(point.queue)] + point.within;
}

Result<bool> Submitter::wait_for_host_turn(std::uint32_t index, std::uint64_t execution,
                                           std::uint64_t nanoseconds) const {
    const HostCall& call = host_calls_[index];
    for (std::size_t i = 0; i < call.points.size(); ++i) {
        const std::uint64_t end = value(execution, call.points[i]);
        VkSemaphoreWaitInfo info{};
        info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO;
        info.semaphoreCount = 1;
        info.pSemaphores = &call.semaphores[i];
        info.pValues = &end;
        const VkResult result = device_->vk.vkWaitSemaphores(device_->handle, &info, nanoseconds);
        if (result == VK_TIMEOUT) return false;
        if (auto ok = check(result, "vkWaitSemaphores"); !ok) return propagate(std::move(ok));
    }
    return true;
}

Result<void> Submitter::signal_host_turn(std::uint32_t index, std::uint64_t execution) const {
    VkSemaphoreSignalInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO;
    info.semaphore = semaphores_[index_of(Queue::host)].get();
    info.value = value(execution, {Queue::host, host_calls_[index].within});
    return check(device_->vk.vkSignalSemaphore(device_->handle, &info), "vkSignalSemaphore");
}

void Submitter::begin(std::uint64_t execution, std::span<const VkCommandBufferSubmitInfo> commands,
                      std::span<const VkSemaphoreSubmitInfo> wait,
                      std::span<const VkSemaphoreSubmitInfo> signal) {
    for (std::size_t i = 0; i < waits_.size(); ++i)
        waits_[i].value = value(execution, wait_points_[i]);
    for (std::size_t i = 0; i < infos_.size(); ++i) {
        signals_[i].value = value(execution, signal_points_[i]);
        const std::uint32_t submission = submission_of_[i];
        const std::uint32_t first = first_commands_[submission];
        infos_[i].commandBufferInfoCount = first_commands_[submission + 1] - first;
        infos_[i].pCommandBufferInfos = commands.data() + first;
        set_waits(infos_[i], waits_of(i));
        set_signals(infos_[i], std::span(&signals_[i], 1));
    }
    if (!wait.empty())
        set_waits(infos_[first_main_], joined(all_waits_, waits_of(first_main_), wait));
    if (!signal.empty())
        set_signals(infos_[last_main_],
                    joined(all_signals_, std::span(&signals_[last_main_], 1), signal));
}

Result<void> Submitter::submit(std::uint64_t execution,
                               std::span<const VkCommandBufferSubmitInfo> commands,
                               std::span<const VkSemaphoreSubmitInfo> wait,
                               std::span<const VkSemaphoreSubmitInfo> signal) {
    begin(execution, commands, wait, signal);
    for (std::size_t i = 0; i < calls_.size(); ++i) {
        if (auto ok = call_queue(calls_[i]); !ok) {
            if (i != 0) {
                pass_end(execution);
                ++skipped_;
            }
            return ok;
        }
    }
    return {};
}

Result<void> Submitter::submit_turn(std::uint32_t turn) const {
    for (const Call& call : calls_)
        if (call.turn == turn)
            if (auto ok = call_queue(call); !ok) return ok;
    return {};
}

Result<void> Submitter::call_queue(const Call& call) const {
    const std::lock_guard lock(call.queue->mutex);
    return check(device_->vk.vkQueueSubmit2(call.queue->handle, call.count,
                                            infos_.data() + call.first, VK_NULL_HANDLE),
                 "vkQueueSubmit2");
}

// What the queues have got waits for nothing that they have not.
void Submitter::pass_end(std::uint64_t execution) const {
    settle();
    for (const Queue queue : kQueues) {
        const VkSemaphore semaphore = semaphores_[index_of(queue)].get();
        if (semaphore == VK_NULL_HANDLE) continue;
        const std::uint64_t end = value(execution, {queue, per_execution_[index_of(queue)]});
        std::uint64_t passed = end; // of a lost device nobody knows
        device_->vk.vkGetSemaphoreCounterValue(device_->handle, semaphore, &passed);
        if (passed >= end) continue;
        VkSemaphoreSignalInfo info{};
        info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO;
        info.semaphore = semaphore;
        info.value = end;
        device_->vk.vkSignalSemaphore(device_->handle, &info);
    }
}

// The last submission of a plan is the graphics queue's and comes after all others.
Result<void> Submitter::wait_for(std::uint64_t execution) const {
    if (execution == 0) return {};
    const VkSemaphore semaphore = semaphores_[index_of(Queue::graphics)].get();
    const std::uint64_t end =
        value(execution, {Queue::graphics, per_execution_[index_of(Queue::graphics)]});
    VkSemaphoreWaitInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO;
    info.semaphoreCount = 1;
    info.pSemaphores = &semaphore;
    info.pValues = &end;
    return check(device_->vk.vkWaitSemaphores(device_->handle, &info, UINT64_MAX),
                 "vkWaitSemaphores");
}

// Lavapipe looks at the semaphores that a submission waited for once more after it has signalled
// the end; a queue that is idle is done with that, too.
void Submitter::settle() const {
    if (waits_.empty()) return;
    for (const Call& call : calls_) {
        const std::lock_guard lock(call.queue->mutex);
        device_->vk.vkQueueWaitIdle(call.queue->handle);
    }
}

Result<std::uint64_t> Submitter::finished() const {
    std::uint64_t passed = 0;
    auto ok = check(device_->vk.vkGetSemaphoreCounterValue(
                        device_->handle, semaphores_[index_of(Queue::graphics)].get(), &passed),
                    "vkGetSemaphoreCounterValue");
    if (!ok) return propagate(std::move(ok));
    const std::uint64_t ended = passed / per_execution_[index_of(Queue::graphics)];
    return ended - std::min(ended, skipped_);
}

} // namespace tuff
