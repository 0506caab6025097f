#include "gpu/device/one_off.hpp"

namespace tuff {

Result<OneOff> OneOff::create(const DeviceImpl& device) {
    OneOff result;
    result.device_ = &device;
    VkCommandPoolCreateInfo pool_info{};
    pool_info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    pool_info.flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
    pool_info.queueFamilyIndex = device.graphics->family;
    VkCommandPool pool = VK_NULL_HANDLE;
    auto ok =
        check(device.vk.vkCreateCommandPool(device.handle, &pool_info, device.allocator, &pool),
              "vkCreateCommandPool");
    if (!ok) return propagate(std::move(ok));
    result.pool_ = OwnedCommandPool(device, pool);

    VkCommandBufferAllocateInfo allocate{};
    allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
    allocate.commandPool = pool;
    allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    allocate.commandBufferCount = 1;
    ok = check(device.vk.vkAllocateCommandBuffers(device.handle, &allocate, &result.commands_),
               "vkAllocateCommandBuffers");
    if (!ok) return propagate(std::move(ok));

    VkFenceCreateInfo fence_info{};
    fence_info.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
    VkFence fence = VK_NULL_HANDLE;
    ok = check(device.vk.vkCreateFence(device.handle, &fence_info, device.allocator, &fence),
               "vkCreateFence");
    if (!ok) return propagate(std::move(ok));
    result.fence_ = OwnedFence(device, fence);
    return result;
}

Result<void> OneOff::begin() {
    const VolkDeviceTable& vk = device_->vk;
    auto ok = check(vk.vkResetCommandPool(device_->handle, pool_.get(), 0), "vkResetCommandPool");
    if (!ok) return ok;
    VkCommandBufferBeginInfo info{};
    info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    return check(vk.vkBeginCommandBuffer(commands_, &info), "vkBeginCommandBuffer");
}

Result<void> OneOff::finish() {
    const VolkDeviceTable& vk = device_->vk;
    auto ok = check(vk.vkEndCommandBuffer(commands_), "vkEndCommandBuffer");
    if (!ok) return ok;
    const VkFence fence = fence_.get();
    ok = check(vk.vkResetFences(device_->handle, 1, &fence), "vkResetFences");
    if (!ok) return ok;
    VkCommandBufferSubmitInfo buffer{};
    buffer.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO;
    buffer.commandBuffer = commands_;
    VkSubmitInfo2 submit{};
    submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2;
    submit.commandBufferInfoCount = 1;
    submit.pCommandBufferInfos = &buffer;
    {
        const std::lock_guard lock(device_->graphics->mutex);
        ok = check(vk.vkQueueSubmit2(device_->graphics->handle, 1, &submit, fence),
                   "vkQueueSubmit2");
    }
    if (!ok) return ok;
    ok = check(vk.vkWaitForFences(device_->handle, 1, &fence, VK_TRUE, UINT64_MAX),
               "vkWaitForFences");
    if (ok) return ok;
    // A wait may run out of memory with the work under way, and what that uses goes next.
    const std::lock_guard lock(device_->graphics->mutex);
    vk.vkQueueWaitIdle(device_->graphics->handle);
    return ok;
}

void record_memory_barrier(const DeviceImpl& device, VkCommandBuffer commands,
                           const Dependency& dependency) {
    VkMemoryBarrier2 barrier{};
    barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2;
    barrier.srcStageMask = dependency.source_stages;
    barrier.srcAccessMask = dependency.source_memory;
    barrier.dstStageMask = dependency.destination_stages;
    barrier.dstAccessMask = dependency.destination_memory;
    VkDependencyInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO;
    info.memoryBarrierCount = 1;
    info.pMemoryBarriers = &barrier;
    device.vk.vkCmdPipelineBarrier2(commands, &info);
}

void record_layout_change(const DeviceImpl& device, VkCommandBuffer commands, VkImage image,
                          const VkImageSubresourceRange& range, VkImageLayout from,
                          VkImageLayout to, const Dependency& dependency) {
    VkImageMemoryBarrier2 barrier{};
    barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2;
    barrier.srcStageMask = dependency.source_stages;
    barrier.srcAccessMask = dependency.source_memory;
    barrier.dstStageMask = dependency.destination_stages;
    barrier.dstAccessMask = dependency.destination_memory;
    barrier.oldLayout = from;
    barrier.newLayout = to;
    barrier.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = image;
    barrier.subresourceRange = range;
    VkDependencyInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO;
    info.imageMemoryBarrierCount = 1;
    info.pImageMemoryBarriers = &barrier;
    device.vk.vkCmdPipelineBarrier2(commands, &info);
}

} // namespace tuff
