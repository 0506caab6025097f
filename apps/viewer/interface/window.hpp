#pragma once

#include "model/input_queue.hpp"

#include <tuff/diagnostic.hpp>
#include <tuff/format.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

struct GLFWwindow;

namespace tuff::viewer {

/// The window system and one window in it.
class Window {
  public:
    /// Errors: `viewer/no-display` where there is no window system to be reached,
    /// `viewer/no-window`.
    static Result<Window> open(std::uint32_t width, std::uint32_t height, const std::string& title);

    Window(Window&& other) noexcept;
    Window& operator=(Window&&) = delete;
    ~Window();

    GLFWwindow* handle() const { return handle_; }
    /// In pixels; zero while the window is minimised.
    Extent framebuffer() const;
    /// In the units of the window system.
    Extent size() const;
    bool minimised() const;
    bool wants_to_close() const;
    void set_title(const std::string& title);
    /// What Vulkan needs to draw into windows.
    std::vector<std::string> instance_extensions() const;
    /// A key that went down, in GLFW's numbers.
    struct Press {
        int key = 0;
        bool control = false;
        bool shift = false;
    };
    /// The keys that went down since the last call, even those that are up again.
    std::vector<Press> take_presses();
    /// What mouse and keyboard do.
    InputQueue& input();
    /// Whether anybody has done anything with the window since the last call. What the window
    /// system sends by itself, as when it has shown a frame, does not count.
    bool take_active();
    /// Whether the window system has lost what the window showed since the last call.
    bool take_damaged();
    /// Files dropped on the window since the last call.
    std::vector<std::filesystem::path> take_dropped();

  private:
    struct Events;
    Window(GLFWwindow* handle, std::unique_ptr<Events> events);

    GLFWwindow* handle_;
    std::unique_ptr<Events> events_; ///< by pointer: GLFW keeps its address
};

} // namespace tuff::viewer
