#pragma once

#include "gpu.hpp"

/// What the game draws, by a render pass of its own: a city at dusk, into an HDR colour and a depth
/// image. Tuff comes after it.
class City {
  public:
    static constexpr VkFormat kColor = VK_FORMAT_R16G16B16A16_SFLOAT;
    static constexpr VkFormat kDepth = VK_FORMAT_D32_SFLOAT;
    static constexpr float kNear = 0.5f;
    static constexpr float kFar = 120.0f;

    City(const Gpu& gpu, VkExtent2D extent);
    ~City();
    City(const City&) = delete;
    City& operator=(const City&) = delete;

    /// Draws it as the camera sees it after `seconds` of its round. Leaves colour and depth in the
    /// layouts of attachments.
    void draw(VkCommandBuffer commands, float seconds) const;

    VkExtent2D extent;
    GpuImage color;
    GpuImage depth;

  private:
    void make_pass();
    void make_pipeline();

    const Gpu& gpu_;
    VkRenderPass pass_ = VK_NULL_HANDLE;
    VkFramebuffer framebuffer_ = VK_NULL_HANDLE;
    VkPipelineLayout layout_ = VK_NULL_HANDLE;
    VkPipeline pipeline_ = VK_NULL_HANDLE;
};
