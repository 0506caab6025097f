// The recording side of ExecutorImpl: a command buffer per slot, history phase and segment, each
// recorded when what it contains has changed, several at once where that pays off.

#include "gpu/executor_impl.hpp"

#include <algorithm>

namespace tuff {

void ExecutorImpl::create_segments() {
    thread_count = recording_threads(*plan, options.recording_threads);
    segments = split_into_segments(*plan, thread_count);
    generations.assign(segments.size(), 1);
    scratch.resize(segments.size());
    recorded.resize(segments.size());
    stale.reserve(segments.size());
    kept = kept_versions(*plan);
    for (std::uint32_t segment = 0; segment < segments.size(); ++segment)
        for (std::uint32_t i = segments[segment].first; i < segments[segment].last; ++i)
            if (kernels.index_of[plan->order[i].index] != ~0u) segment_of_kernel.push_back(segment);
}

Result<void> ExecutorImpl::create_commands(FrameSlot& slot) {
    const std::size_t count = segments.size() * resources.phases();
    VkCommandBufferSubmitInfo empty{};
    empty.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO;
    slot.commands.assign(count, empty);
    slot.generations.assign(count, 0);
    std::vector<VkCommandBuffer> handles(resources.phases());
    for (std::uint32_t segment = 0; segment < segments.size(); ++segment) {
        VkCommandPoolCreateInfo pool_info{};
        pool_info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
        pool_info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
        pool_info.queueFamilyIndex = device->graphics->family;
        VkCommandPool pool = VK_NULL_HANDLE;
        auto ok = check(device->vk.vkCreateCommandPool(device->handle, &pool_info, nullptr, &pool),
                        "vkCreateCommandPool");
        if (!ok) return ok;
        slot.pools.emplace_back(*device, pool);
        VkCommandBufferAllocateInfo allocate{};
        allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
        allocate.commandPool = pool;
        allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
        allocate.commandBufferCount = resources.phases();
        ok = check(device->vk.vkAllocateCommandBuffers(device->handle, &allocate, handles.data()),
                   "vkAllocateCommandBuffers");
        if (!ok) return ok;
        for (std::uint32_t phase = 0; phase < resources.phases(); ++phase)
            slot.commands[command_index(phase, segment)].commandBuffer = handles[phase];
    }
    return {};
}

Result<void> ExecutorImpl::create_queries(FrameSlot& slot) {
    if (options.timings == Timings::off || device->caps.timestamp_period_ns <= 0.0) return {};
    VkQueryPoolCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
    info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    info.queryCount = timestamp_count(*plan);
    VkQueryPool queries = VK_NULL_HANDLE;
    auto ok = check(device->vk.vkCreateQueryPool(device->handle, &info, nullptr, &queries),
                    "vkCreateQueryPool");
    if (ok) slot.queries = OwnedQueryPool(*device, queries);
    return ok;
}

Result<void> ExecutorImpl::record(std::uint32_t index, std::uint32_t phase) {
    FrameSlot& slot = slots[index];
    const BoundResources bound_resources = bound(slot);
    const RecordSources sources{.device = device,
                                .plan = plan.get(),
                                .kernels = &kernels,
                                .pipelines = &pipelines,
                                .descriptors = &descriptors,
                                .resources = &bound_resources,
                                .uploads = &upload_layout,
                                .upload_buffer = slot.uploads.buffer.get(),
                                .parameters = parameters,
                                .kept = &kept,
                                .queries = slot.queries.get(),
                                .timings = options.timings,
                                .slot = index,
                                .phase = phase};
    bool any = false;
    stale.clear();
    for (std::uint32_t segment = 0; segment < segments.size(); ++segment) {
        const std::uint64_t known = slot.generations[command_index(phase, segment)];
        if (segments[segment].custom) {
            if (auto ok = record(sources, segment); !ok) return ok;
            any = true;
        } else if (known != generations[segment]) {
            stale.push_back(segment);
        }
    }
    const auto count = static_cast<std::uint32_t>(stale.size());
    if (count > 1 && thread_count > 1 && !workers) workers.emplace(thread_count);
    const auto record_stale = [&](std::uint32_t i) {
        recorded[stale[i]] = record(sources, stale[i]);
    };
    if (count > 1 && workers)
        workers->run(count, record_stale);
    else
        for (std::uint32_t i = 0; i < count; ++i)
            record_stale(i);
    for (const std::uint32_t segment : stale)
        if (!recorded[segment]) return recorded[segment];
    if (any || count != 0) ++recordings;
    return {};
}

Result<void> ExecutorImpl::record(const RecordSources& sources, std::uint32_t segment) {
    FrameSlot& slot = slots[sources.slot];
    const std::size_t place = command_index(sources.phase, segment);
    const VkCommandBuffer commands = slot.commands[place].commandBuffer;
    slot.generations[place] = 0;
    VkCommandBufferBeginInfo begin{};
    begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    auto ok = check(device->vk.vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
    if (!ok) return ok;
    auto written = Recorder(sources, scratch[segment], commands).record(segments[segment]);
    ok = check(device->vk.vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    if (!written) return written;
    if (ok) slot.generations[place] = generations[segment];
    return ok;
}

} // namespace tuff
