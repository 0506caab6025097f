#define VK_USE_PLATFORM_XLIB_KHR
#include "plain_window.hpp"

#include <X11/Xlib.h>
#include <vulkan/vulkan_xlib.h>

namespace tuff::test {

struct PlainWindow::Client {
    Display* display = nullptr;
    Window window = 0;
};

PlainWindow::PlainWindow(const std::string& display, std::uint32_t width, std::uint32_t height)
    : client_(std::make_unique<Client>()) {
    client_->display = XOpenDisplay(display.c_str());
    if (!client_->display) return;
    client_->window = XCreateSimpleWindow(client_->display, DefaultRootWindow(client_->display), 0,
                                          0, width, height, 0, 0, 0);
    XMapWindow(client_->display, client_->window);
    XSync(client_->display, False);
}

PlainWindow::~PlainWindow() {
    if (client_->display) XCloseDisplay(client_->display); // and with it what the client has made
}

VkSurfaceKHR PlainWindow::surface(VkInstance instance) const {
    const auto create = reinterpret_cast<PFN_vkCreateXlibSurfaceKHR>(
        vkGetInstanceProcAddr(instance, "vkCreateXlibSurfaceKHR"));
    VkXlibSurfaceCreateInfoKHR info{};
    info.sType = VK_STRUCTURE_TYPE_XLIB_SURFACE_CREATE_INFO_KHR;
    info.dpy = client_->display;
    info.window = client_->window;
    VkSurfaceKHR surface = VK_NULL_HANDLE;
    if (create) create(instance, &info, nullptr, &surface);
    return surface;
}

void PlainWindow::resize(std::uint32_t width, std::uint32_t height) {
    XResizeWindow(client_->display, client_->window, width, height);
    XSync(client_->display, False);
}

void PlainWindow::destroy() {
    XDestroyWindow(client_->display, client_->window);
    XSync(client_->display, False);
}

} // namespace tuff::test
