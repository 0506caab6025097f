#include "window.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <stdexcept>
#include <utility>

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

void Window::open_on(const Gpu& gpu, tuff::Device& device) {
    VkSurfaceKHR surface = VK_NULL_HANDLE;
    must(glfwCreateWindowSurface(gpu.instance, window_, nullptr, &surface),
         "glfwCreateWindowSurface");
    auto presenter = tuff::Presenter::create(device, surface); // whose surface it is from now on
    if (!presenter) throw std::runtime_error(tuff::to_string(presenter.error()));
    presenter_.emplace(std::move(*presenter));
}

void Window::close() {
    presenter_.reset();
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

void Window::show(tuff::Executor& executor, std::string_view output) {
    const VkExtent2D now = size();
    const auto shown = presenter_->show(executor, output, {now.width, now.height, 1});
    if (!shown) throw std::runtime_error(tuff::to_string(shown.error()));
}
