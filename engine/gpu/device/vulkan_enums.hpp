#pragma once

#include "gpu/device/vulkan.hpp"

#include <tuff/device_caps.hpp>
#include <tuff/format.hpp>
#include <tuff/shader_interface.hpp>

namespace tuff {

// Formats and stages carry Vulkan's numbers (checked in vulkan_enums.cpp), so these are casts.
constexpr VkFormat to_vk(Format format) {
    return static_cast<VkFormat>(format);
}
constexpr VkShaderStageFlagBits to_vk(ShaderStage stage) {
    return static_cast<VkShaderStageFlagBits>(stage);
}

VkDescriptorType to_vk(BindingKind kind);
VkImageViewType to_vk(ImageDimension dimension);
DeviceType from_vk(VkPhysicalDeviceType type);

/// Depth, stencil or colour aspects of `format`.
VkImageAspectFlags aspects(Format format);

} // namespace tuff
