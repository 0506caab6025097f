#pragma once

// Shows an output of a graph in a window. Define VK_NO_PROTOTYPES before including this where
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

/// The instance that `device` was made with: what window systems make a surface from, by
/// glfwCreateWindowSurface for instance. It lives as long as the device.
VkInstance vulkan_instance(const Device& device);

/// When the screen changes to the next frame.
enum class VerticalSync : std::uint8_t {
    /// Between two of the screen's own frames: nothing is torn, and `show` waits for the screen
    /// where the program is faster.
    on,
    /// At once, so that frames may be torn. Where the surface cannot do that the newest frame waits
    /// for the screen in place of older ones; where it cannot do that either, as `on`.
    off,
};

/// How frames get to the screen.
struct PresenterOptions {
    VerticalSync vertical_sync = VerticalSync::on; ///< can be changed later
    /// Frames that `show` may have under way, at least 1: it waits for the one that many before.
    std::uint32_t frames_in_flight = 2;
};

/// What became of a frame.
enum class Shown : std::uint8_t {
    yes, ///< it was handed to the window system
    /// The window has no size, for it is minimised, or gives no image for a second, for it is
    /// hidden. Nothing was shown, and trying again at once would be busy waiting.
    hidden,
    surface_lost, ///< the surface has ended, its window for instance: see `replace_surface`
};

/// An image of the window to draw into, by work that waits for `free` and signals `drawn`.
struct WindowImage {
    Shown state = Shown::hidden;     ///< all else is null unless it is `yes`
    VkImage handle = VK_NULL_HANDLE; ///< contents undefined
    HostSemaphore free;              ///< binary
    HostSemaphore drawn;             ///< binary
    explicit operator bool() const { return state == Shown::yes; } ///< whether there is an image
};

/// Shows frames in a surface, with images of the surface's own (a swapchain). It makes them again
/// when the window has another size. Not thread-safe. It ends before its device does.
class Presenter {
  public:
    /// Takes `surface`, which was made with `vulkan_instance(device)` and without allocation
    /// callbacks, and destroys it at the end, also where this fails. `device` was opened, or made,
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
    /// the size of the window's framebuffer, in pixels. Where the picture has another size it is
    /// scaled to fit, its proportions kept, with black beside it. Numbers are shown as
    /// `read_image` has them and `save_image` writes them: 0 is black, 1 is full, encoded for
    /// screens already, as what `image/tonemap` makes is; one channel is shown in red.
    ///
    /// It does not wait for the execution. Later executions, and the end of `executor`, see to it
    /// that the frame has been copied first.
    ///
    /// Errors, with which nothing is shown: `gpu/unknown-output`, `gpu/not-executed`,
    /// `gpu/output-kind` (a buffer, multisampled, or 3-D), `present/format` (integers, depth, or an
    /// sRGB format, which is decoded when it is copied), `present/other-device` (`executor` runs on
    /// another device), gpu/...
    Result<Shown> show(Executor& executor, std::string_view output, Extent window);

    /// From the next frame on.
    void set_vertical_sync(VerticalSync sync);
    /// Goes on with a new surface, of a new window for instance, which it takes as `create` does.
    /// Errors: `present/no-surface`, `present/no-format`.
    Result<void> replace_surface(VkSurfaceKHR surface);

    /// @name For programs that draw into the window's images themselves
    /// A frame is: `renew` unless `is_current`; `acquire`; work that writes the image and leaves it
    /// in VK_IMAGE_LAYOUT_PRESENT_SRC_KHR (`Layout::present`); `present`. `show` does all of it.
    /// @{

    /// Whether the images are there, and fit a window of this size.
    bool is_current(Extent window) const;
    /// Makes the images again. All work with the former ones was submitted; it waits for that.
    /// `forget_import` comes before where they were imported. Errors: `present/no-format`, gpu/...
    Result<Shown> renew(Extent window);
    /// The next image; none (`hidden`) where the window needs new ones, which `is_current` tells
    /// then. Whoever acquires an image presents it. No more than `frames_in_flight` + 1 frames may
    /// still wait for their `free`. Error: gpu/...
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
