#include "gpu/execute/plan_enums.hpp"

#include <bit>
#include <cstring>

namespace tuff {

static_assert(to_vk(Layout::undefined) == VK_IMAGE_LAYOUT_UNDEFINED);
static_assert(to_vk(Layout::general) == VK_IMAGE_LAYOUT_GENERAL);
static_assert(to_vk(Layout::color_attachment) == VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
static_assert(to_vk(Layout::depth_attachment) == VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL);
static_assert(to_vk(Layout::depth_read_only) == VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL);
static_assert(to_vk(Layout::shader_read_only) == VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
static_assert(to_vk(Layout::transfer_source) == VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
static_assert(to_vk(Layout::transfer_destination) == VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
static_assert(to_vk(Layout::present) == VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);

static_assert(stage::kDrawIndirect == VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT);
static_assert(stage::kVertexShader == VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT);
static_assert(stage::kFragmentShader == VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT);
static_assert(stage::kEarlyDepth == VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT);
static_assert(stage::kLateDepth == VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT);
static_assert(stage::kColorOutput == VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT);
static_assert(stage::kCompute == VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT);
static_assert(stage::kHost == VK_PIPELINE_STAGE_2_HOST_BIT);
static_assert(stage::kAllCommands == VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
static_assert(stage::kCopy == VK_PIPELINE_STAGE_2_COPY_BIT);
static_assert(stage::kResolve == VK_PIPELINE_STAGE_2_RESOLVE_BIT);
static_assert(stage::kBlit == VK_PIPELINE_STAGE_2_BLIT_BIT);
static_assert(stage::kClear == VK_PIPELINE_STAGE_2_CLEAR_BIT);
static_assert(stage::kRayTracing == VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR);
static_assert(stage::kAccelerationBuild ==
              VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR);
static_assert(stage::kIndexInput == VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT);
static_assert(memory::kIndirectRead == VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT);
static_assert(memory::kIndexRead == VK_ACCESS_2_INDEX_READ_BIT);
static_assert(memory::kUniformRead == VK_ACCESS_2_UNIFORM_READ_BIT);
static_assert(memory::kShaderRead == VK_ACCESS_2_SHADER_READ_BIT);
static_assert(memory::kAccelerationRead == VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR);
static_assert(memory::kAccelerationWrite == VK_ACCESS_2_ACCELERATION_STRUCTURE_WRITE_BIT_KHR);
static_assert(memory::kColorRead == VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT);
static_assert(memory::kColorWrite == VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT);
static_assert(memory::kDepthRead == VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT);
static_assert(memory::kDepthWrite == VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT);
static_assert(memory::kTransferRead == VK_ACCESS_2_TRANSFER_READ_BIT);
static_assert(memory::kTransferWrite == VK_ACCESS_2_TRANSFER_WRITE_BIT);
static_assert(memory::kHostRead == VK_ACCESS_2_HOST_READ_BIT);
static_assert(memory::kHostWrite == VK_ACCESS_2_HOST_WRITE_BIT);
static_assert(memory::kMemoryRead == VK_ACCESS_2_MEMORY_READ_BIT);
static_assert(memory::kMemoryWrite == VK_ACCESS_2_MEMORY_WRITE_BIT);
static_assert(memory::kSampledRead == VK_ACCESS_2_SHADER_SAMPLED_READ_BIT);
static_assert(memory::kStorageRead == VK_ACCESS_2_SHADER_STORAGE_READ_BIT);
static_assert(memory::kStorageWrite == VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT);

VkImageUsageFlags image_usage(UsageMask usage) {
    VkImageUsageFlags flags = 0;
    if (usage & usage::kSampled) flags |= VK_IMAGE_USAGE_SAMPLED_BIT;
    if (usage & usage::kStorage) flags |= VK_IMAGE_USAGE_STORAGE_BIT;
    if (usage & usage::kColorAttachment) flags |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
    if (usage & usage::kDepthAttachment) flags |= VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
    if (usage & usage::kTransferSource) flags |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    if (usage & usage::kTransferDestination) flags |= VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    return flags;
}

VkBufferUsageFlags buffer_usage(UsageMask usage) {
    VkBufferUsageFlags flags = 0;
    if (usage & usage::kStorage) flags |= VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    if (usage & usage::kUniform) flags |= VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT;
    if (usage & usage::kTransferSource) flags |= VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    if (usage & usage::kTransferDestination) flags |= VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    if (usage & usage::kIndex) flags |= VK_BUFFER_USAGE_INDEX_BUFFER_BIT;
    if (usage & usage::kIndirect) flags |= VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
    if (usage & usage::kAccelerationInput)
        flags |= VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR |
                 VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    if (usage & usage::kAcceleration)
        flags |= VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR |
                 VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    if (usage & usage::kDeviceAddress) flags |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    if (usage & usage::kHost) flags |= VK_BUFFER_USAGE_TRANSFER_SRC_BIT; // it must have some
    return flags;
}

VkFilter to_vk(Filter filter) {
    return filter == Filter::nearest ? VK_FILTER_NEAREST : VK_FILTER_LINEAR;
}

VkSamplerAddressMode to_vk(AddressMode mode) {
    switch (mode) {
    case AddressMode::clamp: return VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    case AddressMode::repeat: return VK_SAMPLER_ADDRESS_MODE_REPEAT;
    case AddressMode::mirror: return VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT;
    }
    return VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
}

VkPrimitiveTopology to_vk(Topology topology) {
    switch (topology) {
    case Topology::triangle_list: return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    case Topology::triangle_strip: return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    case Topology::line_list: return VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
    case Topology::point_list: return VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    }
    return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
}

VkCullModeFlags to_vk(CullMode mode) {
    switch (mode) {
    case CullMode::none: return VK_CULL_MODE_NONE;
    case CullMode::front: return VK_CULL_MODE_FRONT_BIT;
    case CullMode::back: return VK_CULL_MODE_BACK_BIT;
    }
    return VK_CULL_MODE_NONE;
}

VkCompareOp to_vk(CompareOp op) {
    switch (op) {
    case CompareOp::never: return VK_COMPARE_OP_NEVER;
    case CompareOp::less: return VK_COMPARE_OP_LESS;
    case CompareOp::equal: return VK_COMPARE_OP_EQUAL;
    case CompareOp::less_or_equal: return VK_COMPARE_OP_LESS_OR_EQUAL;
    case CompareOp::greater: return VK_COMPARE_OP_GREATER;
    case CompareOp::not_equal: return VK_COMPARE_OP_NOT_EQUAL;
    case CompareOp::greater_or_equal: return VK_COMPARE_OP_GREATER_OR_EQUAL;
    case CompareOp::always: return VK_COMPARE_OP_ALWAYS;
    }
    return VK_COMPARE_OP_ALWAYS;
}

VkBlendFactor to_vk(BlendFactor factor) {
    switch (factor) {
    case BlendFactor::zero: return VK_BLEND_FACTOR_ZERO;
    case BlendFactor::one: return VK_BLEND_FACTOR_ONE;
    case BlendFactor::source_alpha: return VK_BLEND_FACTOR_SRC_ALPHA;
    case BlendFactor::one_minus_source_alpha: return VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
    case BlendFactor::destination_alpha: return VK_BLEND_FACTOR_DST_ALPHA;
    case BlendFactor::one_minus_destination_alpha: return VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA;
    case BlendFactor::source_color: return VK_BLEND_FACTOR_SRC_COLOR;
    case BlendFactor::one_minus_source_color: return VK_BLEND_FACTOR_ONE_MINUS_SRC_COLOR;
    case BlendFactor::destination_color: return VK_BLEND_FACTOR_DST_COLOR;
    case BlendFactor::one_minus_destination_color: return VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR;
    }
    return VK_BLEND_FACTOR_ONE;
}

VkBlendOp to_vk(BlendOp op) {
    switch (op) {
    case BlendOp::add: return VK_BLEND_OP_ADD;
    case BlendOp::subtract: return VK_BLEND_OP_SUBTRACT;
    case BlendOp::reverse_subtract: return VK_BLEND_OP_REVERSE_SUBTRACT;
    case BlendOp::min: return VK_BLEND_OP_MIN;
    case BlendOp::max: return VK_BLEND_OP_MAX;
    }
    return VK_BLEND_OP_ADD;
}

VkAttachmentLoadOp to_vk(LoadOp op) {
    switch (op) {
    case LoadOp::load: return VK_ATTACHMENT_LOAD_OP_LOAD;
    case LoadOp::clear: return VK_ATTACHMENT_LOAD_OP_CLEAR;
    case LoadOp::discard: return VK_ATTACHMENT_LOAD_OP_DONT_CARE;
    }
    return VK_ATTACHMENT_LOAD_OP_LOAD;
}

VkIndexType to_vk(IndexType type) {
    return type == IndexType::uint16 ? VK_INDEX_TYPE_UINT16 : VK_INDEX_TYPE_UINT32;
}

VkClearColorValue color_value(const ClearValue& value) {
    VkClearColorValue result{};
    std::visit([&](const auto& four) { std::memcpy(&result, four.data(), sizeof(result)); }, value);
    return result;
}

VkClearDepthStencilValue depth_value(const ClearValue& value) {
    if (const auto* floats = std::get_if<std::array<float, 4>>(&value)) return {(*floats)[0], 0};
    return {std::bit_cast<float>(std::get<std::array<std::uint32_t, 4>>(value)[0]), 0};
}

} // namespace tuff
