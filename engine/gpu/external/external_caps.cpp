// What a device shares with other programs, and with which devices.

#include "gpu/external/external_impl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

namespace tuff {

DeviceIdentity identity_of(VkPhysicalDevice device) {
    VkPhysicalDeviceIDProperties ids{};
    ids.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES;
    VkPhysicalDeviceProperties2 properties{};
    properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    properties.pNext = &ids;
    vkGetPhysicalDeviceProperties2(device, &properties);
    DeviceIdentity identity;
    std::ranges::copy(ids.deviceUUID, identity.device.begin());
    std::ranges::copy(ids.driverUUID, identity.driver.begin());
    return identity;
}

bool shares_semaphores(const DeviceImpl& device, SemaphoreKind kind) {
    if (!device.vk.vkGetSemaphoreFdKHR) return false;
    VkSemaphoreTypeCreateInfo type{};
    type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
    type.semaphoreType =
        kind == SemaphoreKind::timeline ? VK_SEMAPHORE_TYPE_TIMELINE : VK_SEMAPHORE_TYPE_BINARY;
    VkPhysicalDeviceExternalSemaphoreInfo query{};
    query.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_SEMAPHORE_INFO;
    query.pNext = &type;
    query.handleType = kSemaphoreHandle;
    VkExternalSemaphoreProperties answer{};
    answer.sType = VK_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_PROPERTIES;
    vkGetPhysicalDeviceExternalSemaphoreProperties(device.physical, &query, &answer);
    constexpr VkExternalSemaphoreFeatureFlags kBoth =
        VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_SEMAPHORE_FEATURE_IMPORTABLE_BIT;
    return (answer.externalSemaphoreFeatures & kBoth) == kBoth;
}

ExternalCaps external_caps(const Device& device) {
    const DeviceImpl& impl = device.impl();
    return {.identity = identity_of(impl.physical),
            .memory = impl.vk.vkGetMemoryFdKHR != nullptr,
            .binary_semaphores = shares_semaphores(impl, SemaphoreKind::binary),
            .timeline_semaphores = shares_semaphores(impl, SemaphoreKind::timeline)};
}

Diagnostic no_external_memory(const DeviceImpl& device, std::string_view what) {
    return {.code = "gpu/no-external-memory",
            .severity = Severity::error,
            .message = fmt::format("{} does not share {}", device.caps.name, what),
            .where = {},
            .hint = "copy it through host memory: Executor::read_buffer, read_image"};
}

Result<void> check_identity(const DeviceImpl& device, const DeviceIdentity& identity,
                            std::string_view what) {
    const DeviceIdentity own = identity_of(device.physical);
    if (identity == own) return {};
    const bool other_device = identity.device != own.device;
    return external_mismatch(
        fmt::format("the {} is of another {} than {}", what,
                    other_device ? "device" : "driver, or another version of it", device.caps.name),
        "both programs must open the same GPU with the same driver; between different ones data "
        "goes through host memory");
}

std::unexpected<Diagnostics> external_mismatch(std::string message, std::string hint) {
    return fail("gpu/external-mismatch", std::move(message), std::move(hint));
}

void wait_for_graphics_queue(const DeviceImpl& device) {
    const std::lock_guard lock(device.graphics->mutex);
    device.vk.vkQueueWaitIdle(device.graphics->handle);
}

} // namespace tuff
