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
    vk.vkCmdPipelineBarrier2 = Wrapped<&VolkDeviceTable::vkCmdPipelineBarrier2>::plain;
    vk.vkCmdWriteTimestamp2 = Wrapped<&VolkDeviceTable::vkCmdWriteTimestamp2>::plain;
    vk.vkResetQueryPool = Wrapped<&VolkDeviceTable::vkResetQueryPool>::plain;
    vk.vkCmdSetEvent2 = Wrapped<&VolkDeviceTable::vkCmdSetEvent2>::plain;
    vk.vkCmdWaitEvents2 = Wrapped<&VolkDeviceTable::vkCmdWaitEvents2>::plain;
    vk.vkCmdResetEvent2 = Wrapped<&VolkDeviceTable::vkCmdResetEvent2>::plain;
    vk.vkCmdResetQueryPool = Wrapped<&VolkDeviceTable::vkCmdResetQueryPool>::plain;
    vk.vkCmdBindPipeline = Wrapped<&VolkDeviceTable::vkCmdBindPipeline>::plain;
    vk.vkCmdBindDescriptorSets = Wrapped<&VolkDeviceTable::vkCmdBindDescriptorSets>::plain;
    vk.vkCmdPushConstants = Wrapped<&VolkDeviceTable::vkCmdPushConstants>::plain;
    vk.vkCmdDispatch = Wrapped<&VolkDeviceTable::vkCmdDispatch>::plain;
    vk.vkCmdCopyBuffer = Wrapped<&VolkDeviceTable::vkCmdCopyBuffer>::plain;
    vk.vkCmdCopyImage = Wrapped<&VolkDeviceTable::vkCmdCopyImage>::plain;
    vk.vkCmdBeginRendering = Wrapped<&VolkDeviceTable::vkCmdBeginRendering>::plain;
    vk.vkCmdEndRendering = Wrapped<&VolkDeviceTable::vkCmdEndRendering>::plain;
    vk.vkCmdSetViewport = Wrapped<&VolkDeviceTable::vkCmdSetViewport>::plain;
    vk.vkCmdSetScissor = Wrapped<&VolkDeviceTable::vkCmdSetScissor>::plain;
    vk.vkCmdSetCullMode = Wrapped<&VolkDeviceTable::vkCmdSetCullMode>::plain;
    vk.vkCmdDraw = Wrapped<&VolkDeviceTable::vkCmdDraw>::plain;
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
