#include "gpu/timings.hpp"

#include "gpu/recorder.hpp"

namespace tuff {
namespace {

const FrameSlot* last_finished(const ExecutorImpl& executor) {
    std::uint64_t finished = 0;
    const DeviceImpl& device = *executor.device;
    const VkResult result =
        device.vk.vkGetSemaphoreCounterValue(device.handle, executor.timeline.get(), &finished);
    if (result < VK_SUCCESS) return nullptr;
    const FrameSlot* best = nullptr;
    for (const FrameSlot& slot : executor.slots) {
        if (slot.execution == 0 || slot.execution > finished) continue;
        if (!best || slot.execution > best->execution) best = &slot;
    }
    return best;
}

} // namespace

ExecutionTimings read_timings(const ExecutorImpl& executor) {
    ExecutionTimings result;
    const FrameSlot* slot = last_finished(executor);
    if (!slot) return result;
    result.execution = slot->execution;
    const Plan& plan = *executor.plan;
    const DeviceImpl& device = *executor.device;
    std::vector<std::uint64_t> ticks(timestamp_count(plan), 0);
    if (slot->queries) {
        const VkResult read = device.vk.vkGetQueryPoolResults(
            device.handle, slot->queries.get(), 0, static_cast<std::uint32_t>(ticks.size()),
            ticks.size() * sizeof(std::uint64_t), ticks.data(), sizeof(std::uint64_t),
            VK_QUERY_RESULT_64_BIT);
        if (read != VK_SUCCESS) ticks.assign(ticks.size(), 0);
    }
    const auto milliseconds = [&](std::size_t from, std::size_t to) {
        // Timestamps of some drivers step back by a tick between cores.
        if (ticks[to] <= ticks[from]) return 0.0;
        return static_cast<double>(ticks[to] - ticks[from]) * device.caps.timestamp_period_ns *
               1e-6;
    };
    result.milliseconds = milliseconds(0, ticks.size() - 1);
    for (std::size_t i = 0; i < plan.order.size(); ++i)
        result.nodes.push_back({.name = std::string(plan.graph.name_of(plan.order[i])),
                                .milliseconds = milliseconds(i, i + 1)});
    return result;
}

} // namespace tuff
