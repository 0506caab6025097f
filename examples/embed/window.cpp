#include "window.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <stdexcept>

extern "C" VkResult glfwCreateWindowSurface(VkInstance, GLFWwindow*, const VkAllocationCallbacks*,
                                            VkSurfaceKHR*);

std::vector<const char*> Window::instance_extensions() {
    std::uint32_t count = 0;
    const char** const names = glfwGetRequiredInstanceExtensions(&count);
    if (!names) throw std::runtime_error("the window system knows no Vulkan");
    return {names, names + count};
}

Window::Window(const char* title, VkExtent2D size) {
    if (!glfwInit()) throw std::runtime_error("there is no display; try --headless FILE.png");
    glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
    window_ = glfwCreateWindow(static_cast<int>(size.width), static_cast<int>(size.height), title,
                               nullptr, nullptr);
    if (!window_) throw std::runtime_error("cannot open a window; try --headless FILE.png");
}

Window::~Window() {
    if (window_) glfwDestroyWindow(window_);
    glfwTerminate();
}

void Window::open_on(const Gpu& gpu) {
    gpu_ = &gpu;
    must(glfwCreateWindowSurface(gpu.instance, window_, nullptr, &surface_),
         "glfwCreateWindowSurface");
    VkBool32 can = VK_FALSE;
    vkGetPhysicalDeviceSurfaceSupportKHR(gpu.physical, gpu.family, surface_, &can);
    if (!can) throw std::runtime_error("the device cannot show pictures in this window");
    make_swapchain();
}

void Window::close() {
    if (!gpu_) return;
    end_semaphores();
    vkDestroySwapchainKHR(gpu_->device, swapchain_, nullptr);
    vkDestroySurfaceKHR(gpu_->instance, surface_, nullptr);
    gpu_ = nullptr;
}

bool Window::stays_open() {
    const VkExtent2D now = size();
    if (now.width == 0 || now.height == 0)
        glfwWaitEvents();
    else
        glfwPollEvents();
    if (glfwGetKey(window_, GLFW_KEY_ESCAPE) == GLFW_PRESS) return false;
    return !glfwWindowShouldClose(window_);
}

VkExtent2D Window::size() const {
    int width = 0;
    int height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    return {static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)};
}

void Window::make_swapchain() {
    VkSurfaceCapabilitiesKHR can{};
    must(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(gpu_->physical, surface_, &can),
         "vkGetPhysicalDeviceSurfaceCapabilitiesKHR");
    extent_ = can.currentExtent.width == ~0u ? size() : can.currentExtent;
    std::uint32_t count = 0;
    vkGetPhysicalDeviceSurfaceFormatsKHR(gpu_->physical, surface_, &count, nullptr);
    std::vector<VkSurfaceFormatKHR> formats(count);
    vkGetPhysicalDeviceSurfaceFormatsKHR(gpu_->physical, surface_, &count, formats.data());
    if (formats.empty()) throw std::runtime_error("the window takes no format of pictures");
    // The picture is sRGB-encoded already, so it is copied into texels that are taken as they are.
    const auto plain = std::ranges::find_if(formats, [](const VkSurfaceFormatKHR& f) {
        return f.format == VK_FORMAT_B8G8R8A8_UNORM || f.format == VK_FORMAT_R8G8B8A8_UNORM;
    });
    const VkSurfaceFormatKHR format = plain == formats.end() ? formats.front() : *plain;
    const std::uint32_t most = can.maxImageCount == 0 ? ~0u : can.maxImageCount;
    const VkSwapchainKHR old = swapchain_;
    const VkSwapchainCreateInfoKHR info{.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
                                        .surface = surface_,
                                        .minImageCount = std::min(can.minImageCount + 1, most),
                                        .imageFormat = format.format,
                                        .imageColorSpace = format.colorSpace,
                                        .imageExtent = extent_,
                                        .imageArrayLayers = 1,
                                        .imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                                        .preTransform = can.currentTransform,
                                        .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
                                        .presentMode = VK_PRESENT_MODE_FIFO_KHR,
                                        .clipped = VK_TRUE,
                                        .oldSwapchain = old};
    must(vkCreateSwapchainKHR(gpu_->device, &info, nullptr, &swapchain_), "vkCreateSwapchainKHR");
    vkDestroySwapchainKHR(gpu_->device, old, nullptr);
    vkGetSwapchainImagesKHR(gpu_->device, swapchain_, &count, nullptr);
    images_.resize(count);
    vkGetSwapchainImagesKHR(gpu_->device, swapchain_, &count, images_.data());
    const VkSemaphoreCreateInfo semaphore{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    drawn_.resize(count);
    for (VkSemaphore& drawn : drawn_)
        must(vkCreateSemaphore(gpu_->device, &semaphore, nullptr, &drawn), "vkCreateSemaphore");
}

void Window::remake_swapchain() {
    vkDeviceWaitIdle(gpu_->device);
    end_semaphores();
    make_swapchain();
}

void Window::end_semaphores() {
    for (const VkSemaphore drawn : drawn_)
        vkDestroySemaphore(gpu_->device, drawn, nullptr);
    drawn_.clear();
}

VkImage Window::acquire(VkSemaphore acquired) {
    // Not every driver says that the window has another size now.
    const VkExtent2D now = size();
    if (now.width != extent_.width || now.height != extent_.height) remake_swapchain();
    const VkResult got = vkAcquireNextImageKHR(gpu_->device, swapchain_, UINT64_MAX, acquired,
                                               VK_NULL_HANDLE, &current_);
    if (got == VK_SUCCESS || got == VK_SUBOPTIMAL_KHR) return images_[current_];
    if (got != VK_ERROR_OUT_OF_DATE_KHR) must(got, "vkAcquireNextImageKHR");
    remake_swapchain();
    return VK_NULL_HANDLE;
}

void Window::present(VkSemaphore drawn) {
    const VkPresentInfoKHR info{.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                .waitSemaphoreCount = 1,
                                .pWaitSemaphores = &drawn,
                                .swapchainCount = 1,
                                .pSwapchains = &swapchain_,
                                .pImageIndices = &current_};
    const VkResult shown = vkQueuePresentKHR(gpu_->queue, &info);
    if (shown == VK_SUCCESS) return;
    if (shown != VK_SUBOPTIMAL_KHR && shown != VK_ERROR_OUT_OF_DATE_KHR)
        must(shown, "vkQueuePresentKHR");
    remake_swapchain();
}
