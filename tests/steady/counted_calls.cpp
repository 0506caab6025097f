#include "counted_calls.hpp"

namespace tuff::testing_steady {
namespace {

// Vulkan's functions take no context, so what they count and call can live nowhere else.
Counts counted;
VolkDeviceTable driver;

/// Calls the driver; what it allocates on this thread is not the engine's.
template <auto kFunction, typename... Arguments>
auto call(Arguments... arguments) {
    const std::uint64_t before = allocations();
    if constexpr (std::is_void_v<decltype((driver.*kFunction)(arguments...))>) {
        (driver.*kFunction)(arguments...);
        counted.driver_allocations += allocations() - before;
    } else {
        const auto result = (driver.*kFunction)(arguments...);
        counted.driver_allocations += allocations() - before;
        return result;
    }
}

template <auto kFunction>
struct Wrapped;

template <typename Result, typename... Arguments,
          Result (VKAPI_PTR* VolkDeviceTable::*kFunction)(Arguments...)>
struct Wrapped<kFunction> {
    static VKAPI_ATTR Result VKAPI_CALL plain(Arguments... arguments) {
        return call<kFunction>(arguments...);
    }
    static VKAPI_ATTR Result VKAPI_CALL command(Arguments... arguments) {
        ++counted.commands;
        return call<kFunction>(arguments...);
    }
    static VKAPI_ATTR Result VKAPI_CALL object(Arguments... arguments) {
        ++counted.objects;
        return call<kFunction>(arguments...);
    }
};

VKAPI_ATTR VkResult VKAPI_CALL submit(VkQueue queue, std::uint32_t count,
                                      const VkSubmitInfo2* infos, VkFence fence) {
    ++counted.submissions;
    for (std::uint32_t i = 0; i < count; ++i)
        counted.command_buffers += infos[i].commandBufferInfoCount;
    return call<&VolkDeviceTable::vkQueueSubmit2>(queue, count, infos, fence);
}

VKAPI_ATTR VkResult VKAPI_CALL begin(VkCommandBuffer commands,
                                     const VkCommandBufferBeginInfo* info) {
    ++counted.recordings;
    return call<&VolkDeviceTable::vkBeginCommandBuffer>(commands, info);
}

VKAPI_ATTR void VKAPI_CALL update(VkDevice device, std::uint32_t writes,
                                  const VkWriteDescriptorSet* write, std::uint32_t copies,
                                  const VkCopyDescriptorSet* copy) {
    counted.descriptor_writes += writes + copies;
    call<&VolkDeviceTable::vkUpdateDescriptorSets>(device, writes, write, copies, copy);
}

} // namespace

CountedCalls::CountedCalls(DeviceImpl& device)
    : device_(&device), original_(device.vk), allocations_at_start_(allocations()) {
    counted = {};
    driver = device.vk;
    VolkDeviceTable& vk = device.vk;
    vk.vkQueueSubmit2 = submit;
    vk.vkBeginCommandBuffer = begin;
    vk.vkUpdateDescriptorSets = update;
    vk.vkWaitSemaphores = Wrapped<&VolkDeviceTable::vkWaitSemaphores>::plain;
    vk.vkGetSemaphoreCounterValue = Wrapped<&VolkDeviceTable::vkGetSemaphoreCounterValue>::plain;
    vk.vkEndCommandBuffer = Wrapped<&VolkDeviceTable::vkEndCommandBuffer>::plain;
    vk.vkCmdPipelineBarrier2 = Wrapped<&VolkDeviceTable::vkCmdPipelineBarrier2>::command;
    vk.vkCmdWriteTimestamp2 = Wrapped<&VolkDeviceTable::vkCmdWriteTimestamp2>::command;
    vk.vkResetQueryPool = Wrapped<&VolkDeviceTable::vkResetQueryPool>::plain;
    vk.vkCmdResetQueryPool = Wrapped<&VolkDeviceTable::vkCmdResetQueryPool>::command;
    vk.vkCmdBindPipeline = Wrapped<&VolkDeviceTable::vkCmdBindPipeline>::command;
    vk.vkCmdBindDescriptorSets = Wrapped<&VolkDeviceTable::vkCmdBindDescriptorSets>::command;
    vk.vkCmdPushConstants = Wrapped<&VolkDeviceTable::vkCmdPushConstants>::command;
    vk.vkCmdDispatch = Wrapped<&VolkDeviceTable::vkCmdDispatch>::command;
    vk.vkCmdCopyBuffer = Wrapped<&VolkDeviceTable::vkCmdCopyBuffer>::command;
    vk.vkCmdCopyImage = Wrapped<&VolkDeviceTable::vkCmdCopyImage>::command;
    vk.vkCmdBeginRendering = Wrapped<&VolkDeviceTable::vkCmdBeginRendering>::command;
    vk.vkCmdEndRendering = Wrapped<&VolkDeviceTable::vkCmdEndRendering>::command;
    vk.vkCmdSetViewport = Wrapped<&VolkDeviceTable::vkCmdSetViewport>::command;
    vk.vkCmdSetScissor = Wrapped<&VolkDeviceTable::vkCmdSetScissor>::command;
    vk.vkCmdSetCullMode = Wrapped<&VolkDeviceTable::vkCmdSetCullMode>::command;
    vk.vkCmdDraw = Wrapped<&VolkDeviceTable::vkCmdDraw>::command;
    vk.vkCmdDispatchIndirect = Wrapped<&VolkDeviceTable::vkCmdDispatchIndirect>::command;
    vk.vkCmdDrawIndexed = Wrapped<&VolkDeviceTable::vkCmdDrawIndexed>::command;
    vk.vkCmdDrawIndirect = Wrapped<&VolkDeviceTable::vkCmdDrawIndirect>::command;
    vk.vkCmdDrawIndexedIndirect = Wrapped<&VolkDeviceTable::vkCmdDrawIndexedIndirect>::command;
    vk.vkCmdBindIndexBuffer = Wrapped<&VolkDeviceTable::vkCmdBindIndexBuffer>::command;
    vk.vkCmdFillBuffer = Wrapped<&VolkDeviceTable::vkCmdFillBuffer>::command;
    vk.vkCmdBlitImage = Wrapped<&VolkDeviceTable::vkCmdBlitImage>::command;
    vk.vkCmdClearColorImage = Wrapped<&VolkDeviceTable::vkCmdClearColorImage>::command;
    vk.vkCmdClearDepthStencilImage =
        Wrapped<&VolkDeviceTable::vkCmdClearDepthStencilImage>::command;
    vk.vkCmdCopyBufferToImage = Wrapped<&VolkDeviceTable::vkCmdCopyBufferToImage>::command;
    vk.vkCmdCopyImageToBuffer = Wrapped<&VolkDeviceTable::vkCmdCopyImageToBuffer>::command;
    vk.vkCreateBuffer = Wrapped<&VolkDeviceTable::vkCreateBuffer>::object;
    vk.vkCreateImage = Wrapped<&VolkDeviceTable::vkCreateImage>::object;
    vk.vkCreateImageView = Wrapped<&VolkDeviceTable::vkCreateImageView>::object;
    vk.vkAllocateMemory = Wrapped<&VolkDeviceTable::vkAllocateMemory>::object;
    vk.vkCreateDescriptorPool = Wrapped<&VolkDeviceTable::vkCreateDescriptorPool>::object;
    vk.vkAllocateDescriptorSets = Wrapped<&VolkDeviceTable::vkAllocateDescriptorSets>::object;
}

CountedCalls::~CountedCalls() {
    device_->vk = original_;
}

Counts CountedCalls::counts() const {
    Counts result = counted;
    result.allocations = allocations() - allocations_at_start_ - counted.driver_allocations;
    return result;
}

} // namespace tuff::testing_steady
