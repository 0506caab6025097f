#pragma once

#include "gpu/device/owned.hpp"

namespace tuff {

/// `next`: further structures of VkSemaphoreCreateInfo.
Result<OwnedSemaphore> create_semaphore(const DeviceImpl& device, VkSemaphoreType type,
                                        const void* next = nullptr);

/// A timeline semaphore that counts from 0.
inline Result<OwnedSemaphore> create_timeline_semaphore(const DeviceImpl& device) {
    return create_semaphore(device, VK_SEMAPHORE_TYPE_TIMELINE);
}

} // namespace tuff
