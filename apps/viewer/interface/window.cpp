#include "interface/window.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tuff::viewer {
namespace {

std::string last_error() {
    const char* text = nullptr;
    glfwGetError(&text);
    return text ? text : "no reason was given";
}

Extent extent_of(int width, int height) {
    return {static_cast<std::uint32_t>(std::max(width, 0)),
            static_cast<std::uint32_t>(std::max(height, 0)), 1};
}

} // namespace

struct Window::Events {
    std::vector<std::filesystem::path> dropped;
    std::vector<Press> presses;

    static void on_key(GLFWwindow* window, int key, int, int action, int modifiers) {
        if (action != GLFW_PRESS) return;
        static_cast<Events*>(glfwGetWindowUserPointer(window))
            ->presses.push_back({key, (modifiers & GLFW_MOD_CONTROL) != 0});
    }

    static void on_drop(GLFWwindow* window, int count, const char** paths) {
        auto* self = static_cast<Events*>(glfwGetWindowUserPointer(window));
        for (int i = 0; i < count; ++i)
            self->dropped.emplace_back(paths[i]);
    }
};

Result<Window> Window::open(std::uint32_t width, std::uint32_t height, const std::string& title) {
    if (!glfwInit())
        return fail("viewer/no-display",
                    fmt::format("there is no window system to show a window on: {}", last_error()),
                    "set DISPLAY, or use 'tuff run' and 'tuff inspect', which need no window");
    if (!glfwVulkanSupported()) {
        glfwTerminate();
        return fail("viewer/no-window", "the window system finds no Vulkan to draw with",
                    "'tuff devices' tells which devices there are");
    }
    glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
    GLFWwindow* handle = glfwCreateWindow(static_cast<int>(width), static_cast<int>(height),
                                          title.c_str(), nullptr, nullptr);
    if (!handle) {
        const std::string why = last_error();
        glfwTerminate();
        return fail("viewer/no-window", fmt::format("no window could be opened: {}", why));
    }
    auto events = std::make_unique<Events>();
    glfwSetWindowUserPointer(handle, events.get());
    glfwSetDropCallback(handle, Events::on_drop);
    glfwSetKeyCallback(handle, Events::on_key); // Dear ImGui calls it after its own
    constexpr int kLeastWidth = 480, kLeastHeight = 320;
    glfwSetWindowSizeLimits(handle, kLeastWidth, kLeastHeight, GLFW_DONT_CARE, GLFW_DONT_CARE);
    return Window(handle, std::move(events));
}

Window::Window(GLFWwindow* handle, std::unique_ptr<Events> events)
    : handle_(handle), events_(std::move(events)) {}

Window::Window(Window&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)), events_(std::move(other.events_)) {}

Window::~Window() {
    if (!handle_) return;
    glfwDestroyWindow(handle_);
    glfwTerminate();
}

Extent Window::framebuffer() const {
    int width = 0, height = 0;
    glfwGetFramebufferSize(handle_, &width, &height);
    return extent_of(width, height);
}

Extent Window::size() const {
    int width = 0, height = 0;
    glfwGetWindowSize(handle_, &width, &height);
    return extent_of(width, height);
}

bool Window::minimised() const {
    return glfwGetWindowAttrib(handle_, GLFW_ICONIFIED) == GLFW_TRUE;
}

bool Window::wants_to_close() const {
    return glfwWindowShouldClose(handle_) == GLFW_TRUE;
}

void Window::set_title(const std::string& title) {
    glfwSetWindowTitle(handle_, title.c_str());
}

std::vector<std::string> Window::instance_extensions() const {
    std::uint32_t count = 0;
    const char** names = glfwGetRequiredInstanceExtensions(&count);
    return {names, names + count};
}

std::vector<Window::Press> Window::take_presses() {
    return std::exchange(events_->presses, {});
}

std::vector<std::filesystem::path> Window::take_dropped() {
    return std::exchange(events_->dropped, {});
}

} // namespace tuff::viewer
