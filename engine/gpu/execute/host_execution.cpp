// Executions inside a host's frame.

#include "gpu/device/vulkan_enums.hpp"
#include "gpu/execute/executor_impl.hpp"
#include "gpu/execute/plan_enums.hpp"
#include "gpu/memory/readback.hpp"

#include <tuff/host.hpp>

#include <fmt/format.h>

namespace tuff {
namespace {

Result<std::vector<VkSemaphoreSubmitInfo>> submit_infos(std::span<const HostSemaphore> semaphores) {
    std::vector<VkSemaphoreSubmitInfo> infos;
    for (const HostSemaphore& semaphore : semaphores) {
        if (semaphore.handle == VK_NULL_HANDLE)
            return fail("gpu/host-handle", "a semaphore of the host's is null",
                        "leave the semaphore out where nothing is to be waited for or signalled");
        VkSemaphoreSubmitInfo info{};
        info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO;
        info.semaphore = semaphore.handle;
        info.value = semaphore.value;
        info.stageMask = semaphore.stages;
        infos.push_back(info);
    }
    return infos;
}

} // namespace

Result<void> execute(Executor& executor, std::span<const HostSemaphore> wait,
                     std::span<const HostSemaphore> signal) {
    const auto waits = submit_infos(wait);
    if (!waits) return std::unexpected(waits.error());
    const auto signals = submit_infos(signal);
    if (!signals) return std::unexpected(signals.error());
    return executor.impl().execute(*waits, *signals);
}

Result<void> record(Executor& executor, VkCommandBuffer commands, std::uint32_t family) {
    if (commands == VK_NULL_HANDLE)
        return fail("gpu/host-handle", "the host's command buffer is null",
                    "allocate one, and begin it");
    const std::uint32_t own = executor.impl().device->graphics->family;
    if (family != VK_QUEUE_FAMILY_IGNORED && family != own)
        return fail("gpu/host-handle",
                    fmt::format("the host's command buffer is of queue family {}, and the graph "
                                "runs on family {}",
                                family, own),
                    "allocate it from a pool of the family of HostDevice::queue");
    return executor.impl().record_for_host(commands);
}

Result<OutputImage> output_image(Executor& executor, std::string_view output) {
    const auto place = output_place(executor.impl(), output);
    if (!place) return std::unexpected(place.error());
    if (!place->resource->is_image()) return wrong_output_kind(output, "is a buffer, not an image");
    const ImageDesc& desc = place->resource->image();
    return OutputImage{.handle = place->handle.image,
                       .format = to_vk(desc.format),
                       .extent = to_vk(desc.extent),
                       .mips = desc.mips,
                       .layers = desc.layers,
                       .samples = desc.samples,
                       .layout = to_vk(place->last.layout)};
}

Result<OutputBuffer> output_buffer(Executor& executor, std::string_view output) {
    const auto place = output_place(executor.impl(), output);
    if (!place) return std::unexpected(place.error());
    if (place->resource->is_image()) return wrong_output_kind(output, "is an image, not a buffer");
    return OutputBuffer{.handle = place->handle.buffer, .size = place->resource->buffer().size};
}

} // namespace tuff
