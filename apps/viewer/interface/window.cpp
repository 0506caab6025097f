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
    bool damaged = true, active = false;

    InputQueue input;

    static Events& of(GLFWwindow* window) {
        return *static_cast<Events*>(glfwGetWindowUserPointer(window));
    }
    static Events& active_of(GLFWwindow* window) {
        of(window).active = true;
        return of(window);
    }

    static void on_key(GLFWwindow* window, int key, int, int action, int modifiers) {
        if (action == GLFW_REPEAT || key == GLFW_KEY_UNKNOWN) return;
        active_of(window).input.push(KeyChange{static_cast<std::size_t>(key), action == GLFW_PRESS});
        if (action == GLFW_PRESS)
            of(window).presses.push_back(
                {key, (modifiers & GLFW_MOD_CONTROL) != 0, (modifiers & GLFW_MOD_SHIFT) != 0});
    }

    static void on_move(GLFWwindow* window, double x, double y) {
        active_of(window).input.push(PointerMove{static_cast<float>(x), static_cast<float>(y)});
    }

    static void on_button(GLFWwindow* window, int button, int action, int) {
        active_of(window).input.push(ButtonChange{static_cast<std::size_t>(button), action == GLFW_PRESS});
    }

    static void on_wheel(GLFWwindow* window, double, double) { active_of(window); }
    static void on_size(GLFWwindow* window, int, int) { active_of(window); }
    static void on_refresh(GLFWwindow* window) { active_of(window).damaged = true; }

    static void on_drop(GLFWwindow* window, int count, const char** paths) {
        for (int i = 0; i < count; ++i)
            active_of(window).dropped.emplace_back(paths[i]);
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
    glfwSetWindowRefreshCallback(handle, Events::on_refresh);
    glfwSetFramebufferSizeCallback(handle, Events::on_size);
    // Dear ImGui calls these after its own.
    glfwSetKeyCallback(handle, Events::on_key);
    glfwSetCursorPosCallback(handle, Events::on_move);
    glfwSetScrollCallback(handle, Events::on_wheel);
    glfwSetMouseButtonCallback(handle, Events::on_button);
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

InputQueue& Window::input() {
    return events_->input;
}

bool Window::take_active() {
    return std::exchange(events_->active, false);
}

bool Window::take_damaged() {
    return std::exchange(events_->damaged, false);
}

std::vector<std::filesystem::path> Window::take_dropped() {
    return std::exchange(events_->dropped, {});
}

} // namespace tuff::viewer
