#pragma once

#include "gpu.hpp"

struct GLFWwindow;

/// A window and its swapchain. Frames are copied into its images.
class Window {
  public:
    /// Before there is a device: what the instance has to have.
    static std::vector<const char*> instance_extensions();

    Window(const char* title, VkExtent2D size);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    void open_on(const Gpu& gpu);
    /// Before the device ends, which is idle.
    void close();

    /// False once the user has closed it or pressed Escape. Looks after its events, and waits for
    /// one while the window is minimised.
    bool stays_open();
    /// In pixels; 0 while it is minimised.
    VkExtent2D size() const;

    /// The next image to fill, once `acquired` is signalled; null where the swapchain had to be
    /// made anew, and the frame is better begun again. The device is idle then.
    VkImage acquire(VkSemaphore acquired);
    void present(VkSemaphore drawn);
    VkExtent2D extent() const { return extent_; }
    /// One for each image, for its last work to signal.
    VkSemaphore drawn() const { return drawn_[current_]; }

  private:
    void make_swapchain();
    /// For a window that has changed. Waits until the device is idle.
    void remake_swapchain();
    void end_semaphores();

    GLFWwindow* window_ = nullptr;
    const Gpu* gpu_ = nullptr;
    VkSurfaceKHR surface_ = VK_NULL_HANDLE;
    VkSwapchainKHR swapchain_ = VK_NULL_HANDLE;
    VkExtent2D extent_{};
    std::vector<VkImage> images_;
    std::vector<VkSemaphore> drawn_;
    std::uint32_t current_ = 0;
};
