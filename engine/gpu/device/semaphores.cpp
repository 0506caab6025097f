#include "gpu/device/semaphores.hpp"

#include <utility>

namespace tuff {

Result<OwnedSemaphore> create_semaphore(const DeviceImpl& device, VkSemaphoreType type,
                                        const void* next) {
    VkSemaphoreTypeCreateInfo typed{};
    typed.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
    typed.pNext = next;
    typed.semaphoreType = type;
    VkSemaphoreCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
    info.pNext = &typed;
    VkSemaphore handle = VK_NULL_HANDLE;
    auto ok = check(device.vk.vkCreateSemaphore(device.handle, &info, device.allocator, &handle),
                    "vkCreateSemaphore");
    if (!ok) return propagate(std::move(ok));
    return OwnedSemaphore(device, handle);
}

} // namespace tuff
