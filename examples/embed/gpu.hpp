#pragma once

#include <tuff/host.hpp>

#include <vulkan/vulkan.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Throws where a call of Vulkan's has failed.
void must(VkResult result, const char* what);

/// The game's own device: made with what Tuff needs among its own wishes.
class Gpu {
  public:
    struct Wishes {
        std::vector<const char*> instance_extensions; ///< of the window
        bool presents = false;
        bool validation = false;
    };
    explicit Gpu(const Wishes& wishes);
    ~Gpu();
    Gpu(const Gpu&) = delete;
    Gpu& operator=(const Gpu&) = delete;

    std::uint32_t memory_type(std::uint32_t allowed, VkMemoryPropertyFlags wanted) const;

    VkInstance instance = VK_NULL_HANDLE;
    VkPhysicalDevice physical = VK_NULL_HANDLE;
    VkDevice device = VK_NULL_HANDLE;
    VkQueue queue = VK_NULL_HANDLE;
    std::uint32_t family = 0;
    /// What the device was made with, for whoever shares it.
    const VkPhysicalDeviceFeatures2& features() const { return needs_->features(); }
    std::vector<std::string> extensions;
    int messages = 0; ///< of the validation layer

  private:
    void make_instance(const Wishes& wishes);
    void make_device(const Wishes& wishes);

    VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
    std::optional<tuff::DeviceNeeds> needs_;
};

/// An image of the game's with its memory and a view.
class GpuImage {
  public:
    GpuImage(const Gpu& gpu, VkFormat format, VkExtent2D extent, VkImageUsageFlags usage,
             VkImageAspectFlags aspect);
    ~GpuImage();
    GpuImage(const GpuImage&) = delete;
    GpuImage& operator=(const GpuImage&) = delete;

    const VkImageCreateInfo info; ///< as it was made
    VkImage handle = VK_NULL_HANDLE;
    VkImageView view = VK_NULL_HANDLE;

  private:
    const Gpu& gpu_;
    VkDeviceMemory memory_ = VK_NULL_HANDLE;
};
