// Executions that use resources of other programs.

#include "gpu/execute/executor_impl.hpp"
#include "gpu/external/external_impl.hpp"

#include <tuff/vulkan.hpp>

namespace tuff {
namespace {

Result<void> check_device(const ExecutorImpl& executor, const ExternalResource* resource) {
    if (resource && resource->impl().device == executor.device) return {};
    return external_mismatch(resource ? "the resource is of another device than the executor"
                                      : "a resource of the execution is null",
                             "open it on the device of the executor");
}

Result<std::vector<VkSemaphoreSubmitInfo>> submit_infos(const ExecutorImpl& executor,
                                                        std::span<const SemaphorePoint> points) {
    std::vector<VkSemaphoreSubmitInfo> infos;
    for (const SemaphorePoint& point : points) {
        if (!point.semaphore || point.semaphore->impl().device != executor.device)
            return external_mismatch("a semaphore of the execution is null, or of another device "
                                     "than the executor",
                                     "open it on the device of the executor");
        VkSemaphoreSubmitInfo info{};
        info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO;
        info.semaphore = point.semaphore->impl().semaphore.get();
        info.value = point.value;
        info.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
        infos.push_back(info);
    }
    return infos;
}

/// A submission to the graphics queue, in order with the executor's.
Result<void> submit(const DeviceImpl& device, const ExternalUse& use,
                    VkCommandBuffer ExternalResourceImpl::*commands,
                    std::span<const VkSemaphoreSubmitInfo> wait,
                    std::span<const VkSemaphoreSubmitInfo> signal, VkFence fence) {
    std::vector<VkCommandBufferSubmitInfo> buffers;
    for (const ExternalResource* resource : use.resources) {
        VkCommandBufferSubmitInfo info{};
        info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO;
        info.commandBuffer = resource->impl().*commands;
        buffers.push_back(info);
    }
    VkSubmitInfo2 info{};
    info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2;
    info.waitSemaphoreInfoCount = static_cast<std::uint32_t>(wait.size());
    info.pWaitSemaphoreInfos = wait.data();
    info.commandBufferInfoCount = static_cast<std::uint32_t>(buffers.size());
    info.pCommandBufferInfos = buffers.data();
    info.signalSemaphoreInfoCount = static_cast<std::uint32_t>(signal.size());
    info.pSignalSemaphoreInfos = signal.data();
    const std::lock_guard lock(device.graphics->mutex);
    return check(device.vk.vkQueueSubmit2(device.graphics->handle, 1, &info, fence),
                 "vkQueueSubmit2");
}

Result<OwnedFence> create_fence(const DeviceImpl& device) {
    VkFenceCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
    VkFence fence = VK_NULL_HANDLE;
    auto ok = check(device.vk.vkCreateFence(device.handle, &info, device.allocator, &fence),
                    "vkCreateFence");
    if (!ok) return propagate(std::move(ok));
    return OwnedFence(device, fence);
}

} // namespace

ImportState external_state(Layout layout) {
    const Scope any{stage::kAllCommands, memory::kMemoryRead | memory::kMemoryWrite, layout};
    return {.first = any, .last = any};
}

Result<void> bind_import(Executor& executor, std::string_view name, const ExternalBuffer& buffer) {
    if (auto ok = check_device(executor.impl(), &buffer); !ok) return ok;
    const ExternalResourceImpl& impl = buffer.impl();
    return bind_import(executor, name,
                       ImportedBuffer{.handle = impl.buffer.get(), .info = impl.buffer_created});
}

Result<void> bind_import(Executor& executor, std::string_view name, const ExternalImage& image) {
    if (auto ok = check_device(executor.impl(), &image); !ok) return ok;
    const ExternalResourceImpl& impl = image.impl();
    return bind_import(executor, name,
                       ImportedImage{.handle = impl.image.get(),
                                     .info = impl.image_created,
                                     .layout = static_cast<VkImageLayout>(impl.image_info.layout)});
}

void forget_import(Executor& executor, const ExternalResource& resource) {
    forget_import(executor, resource.impl().buffer.get());
    forget_import(executor, resource.impl().image.get());
}

Result<void> execute(Executor& executor, const ExternalUse& use) {
    ExecutorImpl& impl = executor.impl();
    const DeviceImpl& device = *impl.device;
    for (const ExternalResource* resource : use.resources)
        if (auto ok = check_device(impl, resource); !ok) return ok;
    const auto wait = submit_infos(impl, use.wait);
    if (!wait) return std::unexpected(wait.error());
    const auto signal = submit_infos(impl, use.signal);
    if (!signal) return std::unexpected(signal.error());

    OwnedFence released;
    if (signal->empty()) {
        auto made = create_fence(device);
        if (!made) return propagate(std::move(made));
        released = std::move(*made);
    }
    // Submissions of one queue, and barriers on all of its work, are all the order that it takes.
    if (auto ok = submit(device, use, &ExternalResourceImpl::acquire, *wait, {}, VK_NULL_HANDLE);
        !ok)
        return ok;
    auto executed = executor.execute();
    if (executed && impl.host_thread) impl.host_thread->wait_for(impl.submitted);
    const std::span<const VkSemaphoreSubmitInfo> signals =
        executed ? *signal : std::span<const VkSemaphoreSubmitInfo>();
    const VkFence fence = released.get();
    auto ok = submit(device, use, &ExternalResourceImpl::release, {}, signals, fence);
    if (ok && fence != VK_NULL_HANDLE)
        ok = check(device.vk.vkWaitForFences(device.handle, 1, &fence, VK_TRUE, UINT64_MAX),
                   "vkWaitForFences");
    if (!ok && fence != VK_NULL_HANDLE) wait_for_graphics_queue(device);
    return executed ? ok : executed;
}

} // namespace tuff
