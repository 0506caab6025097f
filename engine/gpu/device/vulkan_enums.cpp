#include "gpu/device/vulkan_enums.hpp"

namespace tuff {

static_assert(to_vk(Format::undefined) == VK_FORMAT_UNDEFINED);
static_assert(to_vk(Format::r8_unorm) == VK_FORMAT_R8_UNORM);
static_assert(to_vk(Format::r8_uint) == VK_FORMAT_R8_UINT);
static_assert(to_vk(Format::rg8_unorm) == VK_FORMAT_R8G8_UNORM);
static_assert(to_vk(Format::rgba8_unorm) == VK_FORMAT_R8G8B8A8_UNORM);
static_assert(to_vk(Format::rgba8_snorm) == VK_FORMAT_R8G8B8A8_SNORM);
static_assert(to_vk(Format::rgba8_uint) == VK_FORMAT_R8G8B8A8_UINT);
static_assert(to_vk(Format::rgba8_srgb) == VK_FORMAT_R8G8B8A8_SRGB);
static_assert(to_vk(Format::bgra8_unorm) == VK_FORMAT_B8G8R8A8_UNORM);
static_assert(to_vk(Format::bgra8_srgb) == VK_FORMAT_B8G8R8A8_SRGB);
static_assert(to_vk(Format::a2b10g10r10_unorm) == VK_FORMAT_A2B10G10R10_UNORM_PACK32);
static_assert(to_vk(Format::r16_unorm) == VK_FORMAT_R16_UNORM);
static_assert(to_vk(Format::r16_uint) == VK_FORMAT_R16_UINT);
static_assert(to_vk(Format::r16_sfloat) == VK_FORMAT_R16_SFLOAT);
static_assert(to_vk(Format::rg16_uint) == VK_FORMAT_R16G16_UINT);
static_assert(to_vk(Format::rg16_sfloat) == VK_FORMAT_R16G16_SFLOAT);
static_assert(to_vk(Format::rgba16_unorm) == VK_FORMAT_R16G16B16A16_UNORM);
static_assert(to_vk(Format::rgba16_uint) == VK_FORMAT_R16G16B16A16_UINT);
static_assert(to_vk(Format::rgba16_sfloat) == VK_FORMAT_R16G16B16A16_SFLOAT);
static_assert(to_vk(Format::r32_uint) == VK_FORMAT_R32_UINT);
static_assert(to_vk(Format::r32_sint) == VK_FORMAT_R32_SINT);
static_assert(to_vk(Format::r32_sfloat) == VK_FORMAT_R32_SFLOAT);
static_assert(to_vk(Format::rg32_uint) == VK_FORMAT_R32G32_UINT);
static_assert(to_vk(Format::rg32_sfloat) == VK_FORMAT_R32G32_SFLOAT);
static_assert(to_vk(Format::rgba32_uint) == VK_FORMAT_R32G32B32A32_UINT);
static_assert(to_vk(Format::rgba32_sint) == VK_FORMAT_R32G32B32A32_SINT);
static_assert(to_vk(Format::rgba32_sfloat) == VK_FORMAT_R32G32B32A32_SFLOAT);
static_assert(to_vk(Format::b10g11r11_ufloat) == VK_FORMAT_B10G11R11_UFLOAT_PACK32);
static_assert(to_vk(Format::d16_unorm) == VK_FORMAT_D16_UNORM);
static_assert(to_vk(Format::d32_sfloat) == VK_FORMAT_D32_SFLOAT);
static_assert(to_vk(Format::s8_uint) == VK_FORMAT_S8_UINT);
static_assert(to_vk(Format::d24_unorm_s8_uint) == VK_FORMAT_D24_UNORM_S8_UINT);
static_assert(to_vk(Format::d32_sfloat_s8_uint) == VK_FORMAT_D32_SFLOAT_S8_UINT);

static_assert(to_vk(ShaderStage::vertex) == VK_SHADER_STAGE_VERTEX_BIT);
static_assert(to_vk(ShaderStage::fragment) == VK_SHADER_STAGE_FRAGMENT_BIT);
static_assert(to_vk(ShaderStage::compute) == VK_SHADER_STAGE_COMPUTE_BIT);
static_assert(to_vk(ShaderStage::ray_generation) == VK_SHADER_STAGE_RAYGEN_BIT_KHR);
static_assert(to_vk(ShaderStage::any_hit) == VK_SHADER_STAGE_ANY_HIT_BIT_KHR);
static_assert(to_vk(ShaderStage::closest_hit) == VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR);
static_assert(to_vk(ShaderStage::miss) == VK_SHADER_STAGE_MISS_BIT_KHR);

VkDescriptorType to_vk(BindingKind kind) {
    switch (kind) {
    case BindingKind::uniform_buffer: return VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    case BindingKind::storage_buffer: return VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    case BindingKind::storage_image: return VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
    case BindingKind::sampled_image: return VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
    case BindingKind::combined_image_sampler: return VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    case BindingKind::sampler: return VK_DESCRIPTOR_TYPE_SAMPLER;
    case BindingKind::acceleration_structure: return VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR;
    }
    return VK_DESCRIPTOR_TYPE_MAX_ENUM;
}

VkImageViewType to_vk(ImageDimension dimension) {
    switch (dimension) {
    case ImageDimension::d1: return VK_IMAGE_VIEW_TYPE_1D;
    case ImageDimension::d2: return VK_IMAGE_VIEW_TYPE_2D;
    case ImageDimension::d2_array: return VK_IMAGE_VIEW_TYPE_2D_ARRAY;
    case ImageDimension::d3: return VK_IMAGE_VIEW_TYPE_3D;
    case ImageDimension::cube: return VK_IMAGE_VIEW_TYPE_CUBE;
    }
    return VK_IMAGE_VIEW_TYPE_MAX_ENUM;
}

DeviceType from_vk(VkPhysicalDeviceType type) {
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: return DeviceType::integrated;
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: return DeviceType::discrete;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: return DeviceType::virtual_gpu;
    case VK_PHYSICAL_DEVICE_TYPE_CPU: return DeviceType::cpu;
    default: return DeviceType::other;
    }
}

VkImageAspectFlags aspects(Format format) {
    const FormatInfo& facts = info(format);
    VkImageAspectFlags result = 0;
    if (facts.depth) result |= VK_IMAGE_ASPECT_DEPTH_BIT;
    if (facts.stencil) result |= VK_IMAGE_ASPECT_STENCIL_BIT;
    return result != 0 ? result : VkImageAspectFlags{VK_IMAGE_ASPECT_COLOR_BIT};
}

} // namespace tuff
