#include "gpu/device/semaphores.hpp"

#include <utility>

namespace tuff {

Result<OwnedSemaphore> create_timeline_semaphore(const DeviceImpl& device) {
    VkSemaphoreTypeCreateInfo type{};
    type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    VkSemaphoreCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
    info.pNext = &type;
    VkSemaphore handle = VK_NULL_HANDLE;
    auto ok = check(device.vk.vkCreateSemaphore(device.handle, &info, device.allocator, &handle),
                    "vkCreateSemaphore");
    if (!ok) return propagate(std::move(ok));
    return OwnedSemaphore(device, handle);
}

} // namespace tuff
