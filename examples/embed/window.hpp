#pragma once

#include "gpu.hpp"

#include <tuff/presenter.hpp>

#include <optional>
#include <string_view>

struct GLFWwindow;

/// A window that shows the pictures of a graph.
class Window {
  public:
    /// Before there is a device: what the instance has to have.
    static std::vector<const char*> instance_extensions();

    Window(const char* title, VkExtent2D size);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    /// `device` is the game's own, adopted.
    void open_on(const Gpu& gpu, tuff::Device& device);
    /// Before the device ends.
    void close();

    /// False once the user has closed it or pressed Escape. Looks after its events, and waits for
    /// one while the window is minimised.
    bool stays_open();
    /// In pixels; 0 while it is minimised.
    VkExtent2D size() const;

    /// Shows what the last execution has made.
    void show(tuff::Executor& executor, std::string_view output);

  private:
    GLFWwindow* window_ = nullptr;
    std::optional<tuff::Presenter> presenter_;
};
