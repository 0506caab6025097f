#include "gpu/present/swapchain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace tuff {
namespace {

/// What a surface is asked; lost is no error.
struct SurfaceFacts {
    bool lost = false;
    VkSurfaceCapabilitiesKHR capabilities{};
    std::vector<VkSurfaceFormatKHR> formats;
    std::vector<VkPresentModeKHR> modes;
};

template <typename T, typename Function>
VkResult enumerate(std::vector<T>& all, Function function, VkPhysicalDevice physical,
                   VkSurfaceKHR surface) {
    std::uint32_t count = 0;
    if (const VkResult counted = function(physical, surface, &count, nullptr);
        counted != VK_SUCCESS)
        return counted;
    all.resize(count);
    const VkResult listed = function(physical, surface, &count, all.data());
    all.resize(count);
    return listed;
}

Result<SurfaceFacts> ask(const DeviceImpl& device, VkSurfaceKHR surface) {
    SurfaceFacts facts;
    const auto capabilities = instance_function<PFN_vkGetPhysicalDeviceSurfaceCapabilitiesKHR>(
        device, "vkGetPhysicalDeviceSurfaceCapabilitiesKHR");
    const auto formats = instance_function<PFN_vkGetPhysicalDeviceSurfaceFormatsKHR>(
        device, "vkGetPhysicalDeviceSurfaceFormatsKHR");
    const auto modes = instance_function<PFN_vkGetPhysicalDeviceSurfacePresentModesKHR>(
        device, "vkGetPhysicalDeviceSurfacePresentModesKHR");
    const std::pair<VkResult, std::string_view> answers[] = {
        {capabilities(device.physical, surface, &facts.capabilities),
         "vkGetPhysicalDeviceSurfaceCapabilitiesKHR"},
        {enumerate(facts.formats, formats, device.physical, surface),
         "vkGetPhysicalDeviceSurfaceFormatsKHR"},
        {enumerate(facts.modes, modes, device.physical, surface),
         "vkGetPhysicalDeviceSurfacePresentModesKHR"}};
    for (const auto& [answer, call] : answers) {
        facts.lost = facts.lost || answer == VK_ERROR_SURFACE_LOST_KHR;
        if (facts.lost) return facts;
        if (auto ok = check(answer, call); !ok) return propagate(std::move(ok));
    }
    return facts;
}

/// Pictures are encoded for screens already, so formats that encode are no use.
std::optional<VkSurfaceFormatKHR> choose_format(const SurfaceFacts& facts) {
    for (const VkFormat wanted : {VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_R8G8B8A8_UNORM})
        for (const VkSurfaceFormatKHR& format : facts.formats)
            if (format.format == wanted) return format;
    return std::nullopt;
}

Extent choose_extent(const VkSurfaceCapabilitiesKHR& surface, Extent window) {
    if (surface.currentExtent.width != ~0u)
        return {surface.currentExtent.width, surface.currentExtent.height};
    return {
        std::clamp(window.width, surface.minImageExtent.width, surface.maxImageExtent.width),
        std::clamp(window.height, surface.minImageExtent.height, surface.maxImageExtent.height)};
}

VkPresentModeKHR choose_mode(const SurfaceFacts& facts, VerticalSync sync) {
    if (sync == VerticalSync::off)
        for (const VkPresentModeKHR mode :
             {VK_PRESENT_MODE_IMMEDIATE_KHR, VK_PRESENT_MODE_MAILBOX_KHR})
            if (std::ranges::find(facts.modes, mode) != facts.modes.end()) return mode;
    return VK_PRESENT_MODE_FIFO_KHR; // every surface has it
}

VkCompositeAlphaFlagBitsKHR choose_alpha(VkCompositeAlphaFlagsKHR supported) {
    if (supported & VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR) return VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
    return static_cast<VkCompositeAlphaFlagBitsKHR>(supported & (~supported + 1)); // the lowest
}

} // namespace

OwnedSurface::OwnedSurface(OwnedSurface&& other) noexcept
    : device_(other.device_), handle_(std::exchange(other.handle_, VkSurfaceKHR{VK_NULL_HANDLE})) {}

OwnedSurface& OwnedSurface::operator=(OwnedSurface&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(handle_, other.handle_);
    return *this;
}

OwnedSurface::~OwnedSurface() {
    if (handle_ == VK_NULL_HANDLE) return;
    instance_function<PFN_vkDestroySurfaceKHR>(*device_, "vkDestroySurfaceKHR")(
        device_->instance->handle(), handle_, nullptr);
}

Result<void> check_surface(const DeviceImpl& device, VkSurfaceKHR surface) {
    if (surface == VK_NULL_HANDLE)
        return fail("present/no-surface", "the window's surface is null",
                    "make one with vulkan_instance(device)");
    VkBool32 supported = VK_FALSE;
    const auto supports = instance_function<PFN_vkGetPhysicalDeviceSurfaceSupportKHR>(
        device, "vkGetPhysicalDeviceSurfaceSupportKHR");
    if (supports &&
        supports(device.physical, device.graphics->family, surface, &supported) == VK_SUCCESS &&
        supported)
        return {};
    return fail("present/no-surface",
                fmt::format("'{}' cannot show images in this window", device.caps.name),
                "choose another device, lavapipe for instance");
}

Result<OwnedSemaphore> create_binary_semaphore(const DeviceImpl& device) {
    VkSemaphoreCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
    VkSemaphore handle = VK_NULL_HANDLE;
    auto ok = check(device.vk.vkCreateSemaphore(device.handle, &info, device.allocator, &handle),
                    "vkCreateSemaphore");
    if (!ok) return propagate(std::move(ok));
    return OwnedSemaphore(device, handle);
}

Result<NewSwapchain> create_swapchain(const DeviceImpl& device, VkSurfaceKHR surface, Extent window,
                                      VerticalSync sync, const Swapchain* former) {
    NewSwapchain made;
    auto facts = ask(device, surface);
    if (!facts) return propagate(std::move(facts));
    if (facts->lost) {
        made.state = Shown::surface_lost;
        return made;
    }
    const VkSurfaceCapabilitiesKHR& capabilities = facts->capabilities;
    const Extent extent = choose_extent(capabilities, window);
    // A window may have shrunk to nothing since the program asked.
    if (extent.width == 0 || extent.height == 0) return made;
    const auto format = choose_format(*facts);
    constexpr VkImageUsageFlags kUsage =
        VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    if (!format || (capabilities.supportedUsageFlags & kUsage) != kUsage)
        return fail("present/no-format",
                    "the window takes no images of 8 bits a channel in BGRA or RGBA order that "
                    "can be drawn and copied into",
                    "choose another device, lavapipe for instance");

    VkSwapchainCreateInfoKHR info{};
    info.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR;
    info.surface = surface;
    info.minImageCount = std::max(capabilities.minImageCount, 2u);
    if (capabilities.maxImageCount == 0 || capabilities.maxImageCount > info.minImageCount)
        ++info.minImageCount;
    info.imageFormat = format->format;
    info.imageColorSpace = format->colorSpace;
    info.imageExtent = {extent.width, extent.height};
    info.imageArrayLayers = 1;
    info.imageUsage = kUsage;
    info.imageSharingMode = VK_SHARING_MODE_EXCLUSIVE;
    info.preTransform = capabilities.currentTransform;
    info.compositeAlpha = choose_alpha(capabilities.supportedCompositeAlpha);
    info.presentMode = choose_mode(*facts, sync);
    info.clipped = VK_TRUE;
    info.oldSwapchain = former ? former->handle.get() : VK_NULL_HANDLE;
    VkSwapchainKHR handle = VK_NULL_HANDLE;
    const VkResult created =
        device.vk.vkCreateSwapchainKHR(device.handle, &info, device.allocator, &handle);
    if (created == VK_ERROR_SURFACE_LOST_KHR) {
        made.state = Shown::surface_lost;
        return made;
    }
    if (auto ok = check(created, "vkCreateSwapchainKHR"); !ok) return propagate(std::move(ok));
    Swapchain swapchain;
    swapchain.handle = {device, handle};
    swapchain.desc = {.format = static_cast<Format>(format->format), .extent = extent};
    const auto list = [&](std::uint32_t& count, VkImage* images) {
        return check(device.vk.vkGetSwapchainImagesKHR(device.handle, handle, &count, images),
                     "vkGetSwapchainImagesKHR");
    };
    std::uint32_t count = 0;
    if (auto ok = list(count, nullptr); !ok) return propagate(std::move(ok));
    swapchain.images.resize(count);
    if (auto ok = list(count, swapchain.images.data()); !ok) return propagate(std::move(ok));
    for (std::uint32_t i = 0; i < count; ++i) {
        auto semaphore = create_binary_semaphore(device);
        if (!semaphore) return propagate(std::move(semaphore));
        swapchain.drawn.push_back(std::move(*semaphore));
    }
    made.state = Shown::yes;
    made.swapchain = std::move(swapchain);
    return made;
}

} // namespace tuff
