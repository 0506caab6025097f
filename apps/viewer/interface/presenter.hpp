#pragma once

#include "gpu/device/owned.hpp"

#include <tuff/device.hpp>
#include <tuff/graph_desc.hpp>
#include <tuff/host.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

struct GLFWwindow;

namespace tuff::viewer {

/// A window's surface. It must end before the device does, whose instance it belongs to.
class Surface {
  public:
    /// Errors: `viewer/no-surface` where the window system or the device gives none.
    static Result<Surface> create(const Device& device, GLFWwindow* window);

    Surface(Surface&& other) noexcept;
    Surface& operator=(Surface&& other) noexcept;
    ~Surface();

    VkSurfaceKHR handle() const { return handle_; }
    const DeviceImpl& device() const { return *device_; }

  private:
    Surface(const DeviceImpl& device, VkSurfaceKHR handle) : device_(&device), handle_(handle) {}

    const DeviceImpl* device_;
    VkSurfaceKHR handle_;
};

/// Whether the window shows what was handed over, or wants images of another size.
enum class Presented : std::uint8_t { yes, outdated };

/// An image of the window to draw into, by an execution that waits for `free` and signals `drawn`.
struct WindowImage {
    VkImage handle = VK_NULL_HANDLE;
    HostSemaphore free;
    HostSemaphore drawn;
};

/// The images of a window. A frame is `acquire`, an execution that writes the image (an import that
/// begins `undefined` after colour output and ends in `Layout::present`), and `present`.
class Presenter {
  public:
    /// Errors: `viewer/no-surface-format`, `gpu/*`. `extent` is that of the framebuffer, in pixels,
    /// and not zero.
    static Result<Presenter> create(const Surface& surface, Extent extent);

    Presenter(Presenter&&) noexcept;
    Presenter& operator=(Presenter&&) = delete;
    /// Waits until the queue is idle.
    ~Presenter();

    /// The image to draw into; nothing where the window has changed and needs new images.
    Result<std::optional<WindowImage>> acquire();
    /// Shows the image that was acquired last.
    Result<Presented> present();

    const ImageDesc& desc() const { return desc_; }
    std::span<const VkImage> images() const { return images_; }

  private:
    explicit Presenter(const DeviceImpl& device) : device_(&device) {}
    Result<void> create_semaphores();

    const DeviceImpl* device_;
    VkSwapchainKHR swapchain_ = VK_NULL_HANDLE;
    ImageDesc desc_;
    std::vector<VkImage> images_;
    std::vector<OwnedSemaphore> acquired_; ///< in turn; more than there are frames in flight
    std::vector<OwnedSemaphore> drawn_;    ///< per image
    std::uint32_t turn_ = 0;
    std::uint32_t image_ = 0;
};

} // namespace tuff::viewer
