#include "gpu/memory/samplers.hpp"

#include "gpu/device/vulkan_enums.hpp"
#include "gpu/execute/plan_enums.hpp"

#include <algorithm>

namespace tuff {

Result<VkSampler> SamplerCache::get(const DeviceImpl& device, const Sampler& sampler) {
    for (const auto& [known, handle] : samplers_)
        if (known == sampler) return handle.get();
    VkSamplerCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO;
    info.magFilter = to_vk(sampler.mag_filter);
    info.minFilter = to_vk(sampler.min_filter);
    info.mipmapMode = sampler.mip_filter == Filter::nearest || sampler.base_level_only
                          ? VK_SAMPLER_MIPMAP_MODE_NEAREST
                          : VK_SAMPLER_MIPMAP_MODE_LINEAR;
    info.addressModeU = to_vk(sampler.address_u);
    info.addressModeV = to_vk(sampler.address_v);
    info.addressModeW = to_vk(sampler.address_w);
    // Not 0: between magnification and minification there must be room to tell them apart.
    info.maxLod = sampler.base_level_only ? 0.25f : VK_LOD_CLAMP_NONE;
    info.maxAnisotropy = std::min(sampler.max_anisotropy, device.caps.max_anisotropy);
    info.anisotropyEnable = device.caps.anisotropy && info.maxAnisotropy > 1.0f;
    VkSampler handle = VK_NULL_HANDLE;
    auto ok = check(device.vk.vkCreateSampler(device.handle, &info, device.allocator, &handle),
                    "vkCreateSampler");
    if (!ok) return propagate(std::move(ok));
    samplers_.emplace_back(sampler, OwnedSampler(device, handle));
    return handle;
}

Sampler usable_sampler(const DeviceImpl& device, Sampler sampler, Format format) {
    const bool nearest = sampler.mag_filter == Filter::nearest &&
                         sampler.min_filter == Filter::nearest &&
                         sampler.mip_filter == Filter::nearest;
    if (nearest && sampler.max_anisotropy <= 1.0f) return sampler;
    VkFormatProperties properties{};
    vkGetPhysicalDeviceFormatProperties(device.physical, to_vk(format), &properties);
    if (properties.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT)
        return sampler;
    sampler.mag_filter = Filter::nearest;
    sampler.min_filter = Filter::nearest;
    sampler.mip_filter = Filter::nearest;
    sampler.max_anisotropy = 1.0f;
    return sampler;
}

} // namespace tuff
