#pragma once

#include "gpu/device/vulkan.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace tuff::test {

/// A window in the upper left corner of a screen, of a client of its own.
class PlainWindow {
  public:
    PlainWindow(const std::string& display, std::uint32_t width, std::uint32_t height);
    ~PlainWindow();
    PlainWindow(const PlainWindow&) = delete;
    PlainWindow& operator=(const PlainWindow&) = delete;

    VkSurfaceKHR surface(VkInstance instance) const;
    /// The server has done it when these return.
    void resize(std::uint32_t width, std::uint32_t height);
    void destroy();

  private:
    struct Client;
    std::unique_ptr<Client> client_;
};

} // namespace tuff::test
