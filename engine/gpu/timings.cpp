#include "gpu/timings.hpp"

#include "gpu/recorder.hpp"

#include <algorithm>

namespace tuff {
namespace {

/// The slots whose executions have finished, oldest first.
std::vector<const FrameSlot*> finished_slots(const ExecutorImpl& executor) {
    std::uint64_t finished = 0;
    const DeviceImpl& device = *executor.device;
    const VkResult result =
        device.vk.vkGetSemaphoreCounterValue(device.handle, executor.timeline.get(), &finished);
    if (result < VK_SUCCESS) return {};
    std::vector<const FrameSlot*> slots;
    for (const FrameSlot& slot : executor.slots)
        if (slot.execution != 0 && slot.execution <= finished) slots.push_back(&slot);
    std::ranges::sort(slots, {}, &FrameSlot::execution);
    return slots;
}

/// Timestamps `first`, `first + 1`, ... of a slot; zeros where they cannot be read.
void read_ticks(const ExecutorImpl& executor, const FrameSlot& slot, std::uint32_t first,
                std::span<std::uint64_t> ticks) {
    const DeviceImpl& device = *executor.device;
    const VkResult read = device.vk.vkGetQueryPoolResults(
        device.handle, slot.queries.get(), first, static_cast<std::uint32_t>(ticks.size()),
        ticks.size_bytes(), ticks.data(), sizeof(std::uint64_t), VK_QUERY_RESULT_64_BIT);
    if (read != VK_SUCCESS) std::ranges::fill(ticks, 0);
}

ExecutionTimings read_slot(const ExecutorImpl& executor, const FrameSlot& slot) {
    ExecutionTimings result;
    result.execution = slot.execution;
    const Plan& plan = *executor.plan;
    const bool nodes = executor.options.timings != Timings::executions;
    std::vector<std::uint64_t> ticks(timestamp_count(plan), 0);
    if (slot.queries && nodes) {
        read_ticks(executor, slot, 0, ticks);
    } else if (slot.queries) {
        const auto last = static_cast<std::uint32_t>(ticks.size() - 1);
        read_ticks(executor, slot, 0, std::span(ticks).first(1));
        read_ticks(executor, slot, last, std::span(ticks).last(1));
    }
    const auto milliseconds = [&](std::size_t from, std::size_t to) {
        // Timestamps of some drivers step back by a tick between cores.
        if (ticks[to] <= ticks[from]) return 0.0;
        return static_cast<double>(ticks[to] - ticks[from]) *
               executor.device->caps.timestamp_period_ns * 1e-6;
    };
    result.milliseconds = milliseconds(0, ticks.size() - 1);
    if (!nodes) return result;
    for (std::size_t i = 0; i < plan.order.size(); ++i)
        result.nodes.push_back({.name = std::string(plan.graph.name_of(plan.order[i])),
                                .milliseconds = milliseconds(i, i + 1)});
    return result;
}

} // namespace

ExecutionTimings read_timings(const ExecutorImpl& executor) {
    const std::vector<const FrameSlot*> slots = finished_slots(executor);
    return slots.empty() ? ExecutionTimings{} : read_slot(executor, *slots.back());
}

std::vector<ExecutionTimings> read_recent_timings(const ExecutorImpl& executor) {
    std::vector<ExecutionTimings> result;
    for (const FrameSlot* slot : finished_slots(executor))
        result.push_back(read_slot(executor, *slot));
    return result;
}

} // namespace tuff
