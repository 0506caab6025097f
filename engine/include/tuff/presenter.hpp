#pragma once

// Shows an output of a graph in a window. Define VK_NO_PROTOTYPES before including this if
// Vulkan's functions come from volk or another loader.
//
//     auto device = Device::open({.instance_extensions = ..., // those of the window system
//                                 .device_extensions = {"VK_KHR_swapchain"}});
//     VkSurfaceKHR surface = ...; // made with vulkan_instance(*device)
//     auto presenter = Presenter::create(*device, surface);
//
// and every frame
//
//     run->execute();
//     presenter->show(run->executor(), "picture", {width, height});

#include <tuff/host.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace tuff {

/// The instance of `device`, from which window systems make a surface, for example with
/// glfwCreateWindowSurface. It lives as long as the device.
VkInstance vulkan_instance(const Device& device);

/// When the screen changes to the next frame.
enum class VerticalSync : std::uint8_t {
    /// At the vertical blank: no tearing, and `show` waits for the screen
    /// if the program is faster.
    on,
    /// At once, so frames can be torn. If the surface does not support that, the newest frame
    /// replaces waiting ones; if that is not supported either, as `on`.
    off,
};

/// How frames get to the screen.
struct PresenterOptions {
    VerticalSync vertical_sync = VerticalSync::on; ///< can be changed later
    /// Frames that `show` can have in flight, at least 1: it waits for the one that many before.
    std::uint32_t frames_in_flight = 2;
};

/// Result of showing a frame.
enum class Shown : std::uint8_t {
    yes, ///< it was handed to the window system
    /// The window has no size (it is minimised), or gave no image for a second (it is
    /// hidden). Nothing was shown; trying again at once would be busy waiting.
    hidden,
    surface_lost, ///< the surface or its window is gone: see `replace_surface`
};

/// An image of the window to draw into, by work that waits for `free` and signals `drawn`.
struct WindowImage {
    Shown state = Shown::hidden;     ///< other members are null unless it is `yes`
    VkImage handle = VK_NULL_HANDLE; ///< contents undefined
    HostSemaphore free;              ///< binary
    HostSemaphore drawn;             ///< binary
    explicit operator bool() const { return state == Shown::yes; } ///< whether there is an image
};

/// Shows frames in a surface, with a swapchain that it recreates when the size of the window
/// changes. Not thread-safe. Destroy it before its device.
class Presenter {
  public:
    /// Takes ownership of `surface`, which was made with `vulkan_instance(device)` and without
    /// allocation callbacks, also on failure. `device` was opened, or made,
    /// with the extension VK_KHR_swapchain. Errors: `present/no-swapchain` (without it),
    /// `present/no-surface` (the surface is null, or the device cannot show images in it),
    /// `present/no-format` (it takes no images of 8 bits a channel in BGRA or RGBA order), gpu/...
    static Result<Presenter> create(Device& device, VkSurfaceKHR surface,
                                    PresenterOptions options = {});

    Presenter(Presenter&&) noexcept;
    Presenter& operator=(Presenter&&) noexcept;
    /// Waits until all frames have ended.
    ~Presenter();

    /// Shows mip 0 of layer 0 of an image output of the last execution of `executor`. `window` is
    /// the size of the window's framebuffer, in pixels. A picture of another size is
    /// scaled to fit, with its proportions and black borders. Values have the meaning of
    /// `save_image`: 0 is black, 1 is full, already encoded for
    /// screens, like the results of `image/tonemap`; one channel is shown in red.
    ///
    /// It does not wait for the execution. Later executions, and the destructor of `executor`, wait
    /// until the frame was copied.
    ///
    /// Errors, after which nothing is shown: `gpu/unknown-output`, `gpu/not-executed`,
    /// `gpu/output-kind` (a buffer, multisampled, or 3-D), `present/format` (integers, depth, or an
    /// sRGB format, which is decoded when it is copied), `present/other-device` (`executor` runs on
    /// another device), gpu/...
    Result<Shown> show(Executor& executor, std::string_view output, Extent window);

    /// Takes effect from the next frame on.
    void set_vertical_sync(VerticalSync sync);
    /// Goes on with a new surface, for example of a new window; takes ownership like `create`.
    /// Errors: `present/no-surface`, `present/no-format`.
    Result<void> replace_surface(VkSurfaceKHR surface);

    /// @name For programs that draw into the window's images themselves
    /// A frame is: `renew` unless `is_current`; `acquire`; work that writes the image and leaves it
    /// in VK_IMAGE_LAYOUT_PRESENT_SRC_KHR (`Layout::present`); `present`. `show` does all of it.
    /// @{

    /// Whether the images exist and fit a window of this size.
    bool is_current(Extent window) const;
    /// Makes the images again. All work with the old ones must be submitted; it waits for that.
    /// Call `forget_import` first if they were imported. Errors: `present/no-format`, gpu/...
    Result<Shown> renew(Extent window);
    /// The next image; none (`hidden`) if the window needs new ones: then `is_current` is false.
    /// An acquired image must be presented. At most `frames_in_flight` + 1 frames can
    /// wait for their `free`. Error: gpu/...
    Result<WindowImage> acquire();
    /// Shows the image that was acquired last, once `drawn` is signalled. Error: gpu/...
    Result<Shown> present();
    /// Size and format of the images; no size before the first `renew`.
    const ImageDesc& desc() const;
    /// All images.
    std::span<const VkImage> images() const;

    /// @}

  private:
    struct Impl;
    explicit Presenter(std::unique_ptr<Impl> impl);

    std::unique_ptr<Impl> impl_;
};

} // namespace tuff
