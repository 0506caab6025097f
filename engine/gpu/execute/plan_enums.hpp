#pragma once

#include "gpu/device/vulkan.hpp"

#include <tuff/graph_desc.hpp>

namespace tuff {

// Layouts carry Vulkan's numbers (checked in plan_enums.cpp), so this is a cast.
constexpr VkImageLayout to_vk(Layout layout) {
    return static_cast<VkImageLayout>(layout);
}

VkImageUsageFlags image_usage(UsageMask usage);
VkBufferUsageFlags buffer_usage(UsageMask usage);
VkFilter to_vk(Filter filter);
VkSamplerAddressMode to_vk(AddressMode mode);
VkPrimitiveTopology to_vk(Topology topology);
VkCullModeFlags to_vk(CullMode mode);
VkCompareOp to_vk(CompareOp op);
VkBlendFactor to_vk(BlendFactor factor);
VkBlendOp to_vk(BlendOp op);
VkAttachmentLoadOp to_vk(LoadOp op);
VkIndexType to_vk(IndexType type);
VkClearColorValue color_value(const ClearValue& value);
/// Depth is the first component; stencil clears to 0.
VkClearDepthStencilValue depth_value(const ClearValue& value);

constexpr VkExtent3D to_vk(Extent extent) {
    return {extent.width, extent.height, extent.depth};
}

} // namespace tuff
