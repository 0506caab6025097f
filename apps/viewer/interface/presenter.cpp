#include "interface/presenter.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace tuff::viewer {
namespace {

/// Frames that may be under way, and one more: an acquisition's semaphore is free again once the
/// execution after it has finished.
constexpr std::uint32_t kAcquisitions = 4;

/// Volk's own pointers are those of the newest instance in the process, which need not have been
/// made for windows.
template <typename Function>
Function instance_function(const DeviceImpl& device, const char* name) {
    return reinterpret_cast<Function>(vkGetInstanceProcAddr(device.instance->handle(), name));
}

std::unexpected<Diagnostics> no_surface(std::string why) {
    return fail("viewer/no-surface", std::move(why),
                "choose another device with --interface-device, lavapipe for instance");
}

/// What the interface writes is encoded for the screen already, so formats that encode are no use.
std::optional<VkSurfaceFormatKHR> choose_format(std::span<const VkSurfaceFormatKHR> formats) {
    for (const VkFormat wanted : {VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_R8G8B8A8_UNORM})
        for (const VkSurfaceFormatKHR& format : formats)
            if (format.format == wanted) return format;
    return std::nullopt;
}

template <typename T, typename Function, typename... Arguments>
Result<std::vector<T>> enumerate(Function function, std::string_view name, Arguments... arguments) {
    std::uint32_t count = 0;
    if (auto ok = check(function(arguments..., &count, nullptr), name); !ok)
        return propagate(std::move(ok));
    std::vector<T> all(count);
    if (auto ok = check(function(arguments..., &count, all.data()), name); !ok)
        return propagate(std::move(ok));
    all.resize(count);
    return all;
}

Extent choose_extent(const VkSurfaceCapabilitiesKHR& surface, Extent wanted) {
    if (surface.currentExtent.width != ~0u)
        return {surface.currentExtent.width, surface.currentExtent.height};
    return {
        std::clamp(wanted.width, surface.minImageExtent.width, surface.maxImageExtent.width),
        std::clamp(wanted.height, surface.minImageExtent.height, surface.maxImageExtent.height)};
}

VkCompositeAlphaFlagBitsKHR choose_alpha(VkCompositeAlphaFlagsKHR supported) {
    if (supported & VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR) return VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
    return static_cast<VkCompositeAlphaFlagBitsKHR>(supported & (~supported + 1)); // the lowest
}

} // namespace

Result<Surface> Surface::create(const Device& device, GLFWwindow* window) {
    const DeviceImpl& impl = device.impl();
    VkSurfaceKHR handle = VK_NULL_HANDLE;
    const VkResult made =
        glfwCreateWindowSurface(impl.instance->handle(), window, nullptr, &handle);
    if (made != VK_SUCCESS)
        return no_surface(
            fmt::format("the window gives no surface to draw on: {}", result_name(made)));
    Surface surface(impl, handle);
    VkBool32 supported = VK_FALSE;
    const auto ask = instance_function<PFN_vkGetPhysicalDeviceSurfaceSupportKHR>(
        impl, "vkGetPhysicalDeviceSurfaceSupportKHR");
    if (!ask || ask(impl.physical, impl.graphics->family, handle, &supported) != VK_SUCCESS ||
        !supported)
        return no_surface(fmt::format("'{}' cannot show images in a window", impl.caps.name));
    return surface;
}

Surface::Surface(Surface&& other) noexcept
    : device_(other.device_), handle_(std::exchange(other.handle_, VkSurfaceKHR{VK_NULL_HANDLE})) {}

Surface& Surface::operator=(Surface&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(handle_, other.handle_);
    return *this;
}

Surface::~Surface() {
    if (handle_ == VK_NULL_HANDLE) return;
    const auto destroy =
        instance_function<PFN_vkDestroySurfaceKHR>(*device_, "vkDestroySurfaceKHR");
    destroy(device_->instance->handle(), handle_, nullptr);
}

Presenter::Presenter(Presenter&& other) noexcept
    : device_(other.device_),
      swapchain_(std::exchange(other.swapchain_, VkSwapchainKHR{VK_NULL_HANDLE})),
      desc_(other.desc_), images_(std::move(other.images_)), acquired_(std::move(other.acquired_)),
      drawn_(std::move(other.drawn_)), turn_(other.turn_), image_(other.image_) {}

Presenter::~Presenter() {
    if (swapchain_ == VK_NULL_HANDLE) return;
    {
        const std::lock_guard lock(device_->graphics->mutex);
        device_->vk.vkQueueWaitIdle(device_->graphics->handle);
    }
    device_->vk.vkDestroySwapchainKHR(device_->handle, swapchain_, nullptr);
}

Result<Presenter> Presenter::create(const Surface& surface, Extent wanted) {
    const DeviceImpl& device = surface.device();
    const auto capabilities_of = instance_function<PFN_vkGetPhysicalDeviceSurfaceCapabilitiesKHR>(
        device, "vkGetPhysicalDeviceSurfaceCapabilitiesKHR");
    const auto formats_of = instance_function<PFN_vkGetPhysicalDeviceSurfaceFormatsKHR>(
        device, "vkGetPhysicalDeviceSurfaceFormatsKHR");
    VkSurfaceCapabilitiesKHR capabilities{};
    if (auto ok = check(capabilities_of(device.physical, surface.handle(), &capabilities),
                        "vkGetPhysicalDeviceSurfaceCapabilitiesKHR");
        !ok)
        return propagate(std::move(ok));
    auto formats = enumerate<VkSurfaceFormatKHR>(formats_of, "vkGetPhysicalDeviceSurfaceFormatsKHR",
                                                 device.physical, surface.handle());
    if (!formats) return propagate(std::move(formats));
    const auto format = choose_format(*formats);
    if (!format)
        return fail("viewer/no-surface-format",
                    "the window shows no images of 8 bits a channel in BGRA or RGBA order",
                    "choose another device with --interface-device");

    Presenter made(device);
    made.desc_ = {.format = static_cast<Format>(format->format),
                  .extent = choose_extent(capabilities, wanted)};
    VkSwapchainCreateInfoKHR info{};
    info.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR;
    info.surface = surface.handle();
    info.minImageCount = std::max(capabilities.minImageCount, 2u);
    if (capabilities.maxImageCount == 0 || capabilities.maxImageCount > info.minImageCount)
        ++info.minImageCount;
    info.imageFormat = format->format;
    info.imageColorSpace = format->colorSpace;
    info.imageExtent = {made.desc_.extent.width, made.desc_.extent.height};
    info.imageArrayLayers = 1;
    info.imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
    info.imageSharingMode = VK_SHARING_MODE_EXCLUSIVE;
    info.preTransform = capabilities.currentTransform;
    info.compositeAlpha = choose_alpha(capabilities.supportedCompositeAlpha);
    info.presentMode = VK_PRESENT_MODE_FIFO_KHR; // the one that is everywhere, and never tears
    info.clipped = VK_TRUE;
    if (auto ok =
            check(device.vk.vkCreateSwapchainKHR(device.handle, &info, nullptr, &made.swapchain_),
                  "vkCreateSwapchainKHR");
        !ok)
        return propagate(std::move(ok));
    auto images = enumerate<VkImage>(device.vk.vkGetSwapchainImagesKHR, "vkGetSwapchainImagesKHR",
                                     device.handle, made.swapchain_);
    if (!images) return propagate(std::move(images));
    made.images_ = std::move(*images);
    if (auto ok = made.create_semaphores(); !ok) return propagate(std::move(ok));
    return made;
}

Result<void> Presenter::create_semaphores() {
    const auto add = [&](std::vector<OwnedSemaphore>& list, std::size_t count) -> Result<void> {
        for (std::size_t i = 0; i < count; ++i) {
            VkSemaphoreCreateInfo info{};
            info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
            VkSemaphore handle = VK_NULL_HANDLE;
            auto ok = check(device_->vk.vkCreateSemaphore(device_->handle, &info, nullptr, &handle),
                            "vkCreateSemaphore");
            if (!ok) return ok;
            list.emplace_back(*device_, handle);
        }
        return {};
    };
    if (auto ok = add(acquired_, kAcquisitions); !ok) return ok;
    return add(drawn_, images_.size());
}

Result<std::optional<WindowImage>> Presenter::acquire() {
    turn_ = (turn_ + 1) % kAcquisitions;
    const VkSemaphore semaphore = acquired_[turn_].get();
    const VkResult got = device_->vk.vkAcquireNextImageKHR(device_->handle, swapchain_, UINT64_MAX,
                                                           semaphore, VK_NULL_HANDLE, &image_);
    if (got == VK_ERROR_OUT_OF_DATE_KHR) return std::optional<WindowImage>();
    if (auto ok = check(got, "vkAcquireNextImageKHR"); !ok) return propagate(std::move(ok));
    return std::optional(WindowImage{images_[image_], {semaphore}, {drawn_[image_].get()}});
}

Result<Presented> Presenter::present() {
    const VkSemaphore drawn = drawn_[image_].get();
    VkPresentInfoKHR info{};
    info.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR;
    info.waitSemaphoreCount = 1;
    info.pWaitSemaphores = &drawn;
    info.swapchainCount = 1;
    info.pSwapchains = &swapchain_;
    info.pImageIndices = &image_;
    const std::lock_guard lock(device_->graphics->mutex);
    const VkResult shown = device_->vk.vkQueuePresentKHR(device_->graphics->handle, &info);
    if (shown == VK_ERROR_OUT_OF_DATE_KHR || shown == VK_SUBOPTIMAL_KHR) return Presented::outdated;
    if (auto ok = check(shown, "vkQueuePresentKHR"); !ok) return propagate(std::move(ok));
    return Presented::yes;
}

} // namespace tuff::viewer
