#pragma once

#include "gpu/device/owned.hpp"

#include <tuff/graph_desc.hpp>
#include <tuff/presenter.hpp>

#include <optional>
#include <vector>

namespace tuff {

/// A function of the instance that a device was made with. Volk's own pointers are those of the
/// newest instance in the process.
template <typename Function>
Function instance_function(const DeviceImpl& device, const char* name) {
    return reinterpret_cast<Function>(vkGetInstanceProcAddr(device.instance->handle(), name));
}

/// A surface that is destroyed at the end.
class OwnedSurface {
  public:
    OwnedSurface() = default;
    OwnedSurface(const DeviceImpl& device, VkSurfaceKHR handle)
        : device_(&device), handle_(handle) {}
    OwnedSurface(OwnedSurface&& other) noexcept;
    OwnedSurface& operator=(OwnedSurface&& other) noexcept;
    ~OwnedSurface();

    VkSurfaceKHR get() const { return handle_; }

  private:
    const DeviceImpl* device_ = nullptr;
    VkSurfaceKHR handle_ = VK_NULL_HANDLE;
};

/// Error `present/no-surface` where the device cannot show images there.
Result<void> check_surface(const DeviceImpl& device, VkSurfaceKHR surface);

/// The images of a surface. Ends when nothing uses them any more.
struct Swapchain {
    Owned<VkSwapchainKHR, &VolkDeviceTable::vkDestroySwapchainKHR> handle;
    ImageDesc desc;
    std::vector<VkImage> images;
    std::vector<OwnedSemaphore> drawn; ///< per image
};

/// Images for a window, in place of `former`, if there are some. Nothing where the window has no
/// size. Errors: `present/no-format`; `VK_ERROR_SURFACE_LOST_KHR` is told by `lost`.
struct NewSwapchain {
    Shown state = Shown::hidden;
    std::optional<Swapchain> swapchain; ///< where `state` is `yes`
};
Result<NewSwapchain> create_swapchain(const DeviceImpl& device, VkSurfaceKHR surface, Extent window,
                                      VerticalSync sync, const Swapchain* former);

Result<OwnedSemaphore> create_binary_semaphore(const DeviceImpl& device);

} // namespace tuff
