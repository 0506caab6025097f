#include "failing_calls.hpp"

#include "call_name.hpp"

#include <mutex>
#include <optional>

namespace tuff::testing_gpu {
namespace {

using Vk = VolkDeviceTable;

// Vulkan's functions take no context, so what they count and call can live nowhere else.
struct Injection {
    std::mutex mutex;
    Vk next{};
    VkDevice device = VK_NULL_HANDLE;
    Fault fault = Fault::out_of_memory;
    std::uint64_t nth = 0;
    std::uint64_t calls = 0;
    std::string failed;

    /// What the call now at hand reports; nothing: it is to be made.
    std::optional<VkResult> report(const char* function) {
        const std::lock_guard lock(mutex);
        ++calls;
        const bool lost = fault == Fault::device_lost && !failed.empty();
        if (calls != nth && !lost) return std::nullopt;
        if (failed.empty()) failed = function;
        if (fault == Fault::out_of_memory)
            return calls % 2 == 0 ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_ERROR_OUT_OF_DEVICE_MEMORY;
        // With a device its work ends, so that what it used may go.
        if (!lost) next.vkDeviceWaitIdle(device);
        return VK_ERROR_DEVICE_LOST;
    }
};
Injection injection;

template <Name kName, auto kFunction>
struct Failing;

template <Name kName, typename... Arguments, VkResult (VKAPI_PTR* Vk::*kFunction)(Arguments...)>
struct Failing<kName, kFunction> {
    static VKAPI_ATTR VkResult VKAPI_CALL call(Arguments... arguments) {
        if (const auto reported = injection.report(kName.text)) return *reported;
        return (injection.next.*kFunction)(arguments...);
    }
};

template <Name kName, auto kFunction>
void replace(Vk& vk) {
    if (vk.*kFunction) vk.*kFunction = Failing<kName, kFunction>::call;
}

/// Those that may lose the device, which may run out of memory as well.
void replace_waits(Vk& vk) {
    replace<"vkQueueSubmit2", &Vk::vkQueueSubmit2>(vk);
    replace<"vkQueueWaitIdle", &Vk::vkQueueWaitIdle>(vk);
    replace<"vkDeviceWaitIdle", &Vk::vkDeviceWaitIdle>(vk);
    replace<"vkWaitSemaphores", &Vk::vkWaitSemaphores>(vk);
    replace<"vkGetSemaphoreCounterValue", &Vk::vkGetSemaphoreCounterValue>(vk);
    replace<"vkWaitForFences", &Vk::vkWaitForFences>(vk);
    replace<"vkGetFenceStatus", &Vk::vkGetFenceStatus>(vk);
    replace<"vkGetEventStatus", &Vk::vkGetEventStatus>(vk);
    replace<"vkGetQueryPoolResults", &Vk::vkGetQueryPoolResults>(vk);
}

void replace_allocations(Vk& vk) {
    replace<"vkAllocateMemory", &Vk::vkAllocateMemory>(vk);
    replace<"vkMapMemory", &Vk::vkMapMemory>(vk);
    replace<"vkBindBufferMemory", &Vk::vkBindBufferMemory>(vk);
    replace<"vkBindImageMemory", &Vk::vkBindImageMemory>(vk);
    replace<"vkCreateBuffer", &Vk::vkCreateBuffer>(vk);
    replace<"vkCreateImage", &Vk::vkCreateImage>(vk);
    replace<"vkCreateImageView", &Vk::vkCreateImageView>(vk);
    replace<"vkCreateSampler", &Vk::vkCreateSampler>(vk);
    replace<"vkCreateDescriptorSetLayout", &Vk::vkCreateDescriptorSetLayout>(vk);
    replace<"vkCreateDescriptorPool", &Vk::vkCreateDescriptorPool>(vk);
    replace<"vkAllocateDescriptorSets", &Vk::vkAllocateDescriptorSets>(vk);
    replace<"vkCreatePipelineLayout", &Vk::vkCreatePipelineLayout>(vk);
    replace<"vkCreatePipelineCache", &Vk::vkCreatePipelineCache>(vk);
    replace<"vkCreateShaderModule", &Vk::vkCreateShaderModule>(vk);
    replace<"vkCreateComputePipelines", &Vk::vkCreateComputePipelines>(vk);
    replace<"vkCreateGraphicsPipelines", &Vk::vkCreateGraphicsPipelines>(vk);
    replace<"vkCreateRayTracingPipelinesKHR", &Vk::vkCreateRayTracingPipelinesKHR>(vk);
    replace<"vkGetRayTracingShaderGroupHandlesKHR", &Vk::vkGetRayTracingShaderGroupHandlesKHR>(vk);
    replace<"vkCreateAccelerationStructureKHR", &Vk::vkCreateAccelerationStructureKHR>(vk);
    replace<"vkCreateCommandPool", &Vk::vkCreateCommandPool>(vk);
    replace<"vkResetCommandPool", &Vk::vkResetCommandPool>(vk);
    replace<"vkAllocateCommandBuffers", &Vk::vkAllocateCommandBuffers>(vk);
    replace<"vkBeginCommandBuffer", &Vk::vkBeginCommandBuffer>(vk);
    replace<"vkEndCommandBuffer", &Vk::vkEndCommandBuffer>(vk);
    replace<"vkCreateSemaphore", &Vk::vkCreateSemaphore>(vk);
    replace<"vkCreateEvent", &Vk::vkCreateEvent>(vk);
    replace<"vkResetEvent", &Vk::vkResetEvent>(vk);
    replace<"vkCreateFence", &Vk::vkCreateFence>(vk);
    replace<"vkResetFences", &Vk::vkResetFences>(vk);
    replace<"vkCreateQueryPool", &Vk::vkCreateQueryPool>(vk);
}

} // namespace

FailingCalls::FailingCalls(DeviceImpl& device, Fault fault, std::uint64_t nth)
    : device_(&device), original_(device.vk) {
    injection.next = device.vk;
    injection.device = device.handle;
    injection.fault = fault;
    injection.nth = nth;
    injection.calls = 0;
    injection.failed.clear();
    replace_waits(device.vk);
    if (fault == Fault::out_of_memory) replace_allocations(device.vk);
}

FailingCalls::~FailingCalls() {
    device_->vk = original_;
}

std::uint64_t FailingCalls::calls() const {
    const std::lock_guard lock(injection.mutex);
    return injection.calls;
}

std::string FailingCalls::failed() const {
    const std::lock_guard lock(injection.mutex);
    return injection.failed;
}

} // namespace tuff::testing_gpu
