#pragma once

#include "gpu/device/owned.hpp"

#include <tuff/external_memory.hpp>

namespace tuff {

/// What stands behind an `ExternalBuffer` or an `ExternalImage`.
struct ExternalResourceImpl {
    const DeviceImpl* device = nullptr;
    OwnedMemory memory; ///< before what lies in it
    OwnedBuffer buffer; ///< one of the two
    OwnedImage image;
    VkBufferCreateInfo buffer_created{};
    VkImageCreateInfo image_created{};
    ExternalBufferInfo buffer_info;
    ExternalImageInfo image_info;
    bool exports = true; ///< its memory can go to other programs
    OwnedCommandPool pool;
    /// Recorded once: from whoever has used it to the graphics queue, and back.
    VkCommandBuffer acquire = VK_NULL_HANDLE;
    VkCommandBuffer release = VK_NULL_HANDLE;

    explicit ExternalResourceImpl(const DeviceImpl& of) : device(&of) {}
    ExternalResourceImpl(const ExternalResourceImpl&) = delete;
    ExternalResourceImpl& operator=(const ExternalResourceImpl&) = delete;
    ~ExternalResourceImpl();
};

/// What stands behind an `ExternalSemaphore`.
struct ExternalSemaphoreImpl {
    const DeviceImpl* device = nullptr;
    OwnedSemaphore semaphore;
    ExternalSemaphoreInfo info;

    explicit ExternalSemaphoreImpl(const DeviceImpl& of) : device(&of) {}
    ExternalSemaphoreImpl(const ExternalSemaphoreImpl&) = delete;
    ExternalSemaphoreImpl& operator=(const ExternalSemaphoreImpl&) = delete;
    ~ExternalSemaphoreImpl();
};

inline constexpr VkExternalMemoryHandleTypeFlagBits kMemoryHandle =
    VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
inline constexpr VkExternalSemaphoreHandleTypeFlagBits kSemaphoreHandle =
    VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;

DeviceIdentity identity_of(VkPhysicalDevice device);
/// Whether the driver exports and imports such semaphores.
bool shares_semaphores(const DeviceImpl& device, SemaphoreKind kind);
Diagnostic no_external_memory(const DeviceImpl& device, std::string_view what);
/// Error `gpu/external-mismatch`: memory or a semaphore of another device or driver.
Result<void> check_identity(const DeviceImpl& device, const DeviceIdentity& identity,
                            std::string_view what);
std::unexpected<Diagnostics> external_mismatch(std::string message, std::string hint);

/// A descriptor that a call of Vulkan imports. The call takes it over if it succeeds. Where it
/// fails the caller should still have it, but some drivers have closed it then.
class HandedOver {
  public:
    explicit HandedOver(FileDescriptor& descriptor);
    /// `taken`: by the call.
    void settle(bool taken);

  private:
    FileDescriptor& descriptor_;
    std::uint64_t file_ = 0; ///< which it is
};

void wait_for_graphics_queue(const DeviceImpl& device);

} // namespace tuff
