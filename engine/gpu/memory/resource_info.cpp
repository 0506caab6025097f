#include "gpu/memory/resource_info.hpp"

#include "gpu/device/vulkan_enums.hpp"
#include "gpu/execute/plan_enums.hpp"
#include "gpu/memory/memory.hpp"
#include "graph/compile/ranges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace tuff {

VkImageCreateInfo image_info(const ImageDesc& desc, UsageMask usage) {
    VkImageCreateInfo result{};
    result.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
    if (desc.shape == ImageShape::cube) result.flags = VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
    result.imageType = desc.shape == ImageShape::d3 ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D;
    result.format = to_vk(desc.format);
    result.extent = to_vk(desc.extent);
    result.mipLevels = desc.mips;
    result.arrayLayers = desc.layers;
    result.samples = static_cast<VkSampleCountFlagBits>(desc.samples);
    result.tiling = VK_IMAGE_TILING_OPTIMAL;
    result.usage = image_usage(usage);
    result.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
    result.initialLayout = VK_IMAGE_LAYOUT_UNDEFINED;
    return result;
}

VkBufferCreateInfo buffer_info(const BufferDesc& desc, UsageMask usage) {
    VkBufferCreateInfo result{};
    result.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    result.size = std::max<std::uint64_t>(align_up(desc.size, kBufferPadding), kBufferPadding);
    result.usage = buffer_usage(usage);
    result.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
    return result;
}

std::string usage_names(UsageMask usage) {
    static constexpr std::pair<UsageMask, std::string_view> kNames[] = {
        {usage::kSampled, "sampled"},
        {usage::kStorage, "storage"},
        {usage::kUniform, "uniform"},
        {usage::kColorAttachment, "colour attachment"},
        {usage::kDepthAttachment, "depth attachment"},
        {usage::kTransferSource, "transfer source"},
        {usage::kTransferDestination, "transfer destination"},
        {usage::kIndex, "index"},
        {usage::kIndirect, "indirect"},
        {usage::kAccelerationInput, "acceleration structure input"},
        {usage::kAcceleration, "acceleration structure"},
        {usage::kDeviceAddress, "device address"},
        {usage::kHost, "host"},
    };
    std::string result;
    for (const auto& [bit, name] : kNames) {
        if ((usage & bit) == 0) continue;
        if (!result.empty()) result += ", ";
        result += name;
    }
    return result;
}

Result<void> check_support(const DeviceImpl& device, const ImageDesc& desc, UsageMask usage,
                           std::string_view name) {
    const VkImageCreateInfo create = image_info(desc, usage);
    VkPhysicalDeviceImageFormatInfo2 query{};
    query.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2;
    query.format = create.format;
    query.type = create.imageType;
    query.tiling = create.tiling;
    query.usage = create.usage;
    query.flags = create.flags;
    VkImageFormatProperties2 answer{};
    answer.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2;
    const VkResult result =
        vkGetPhysicalDeviceImageFormatProperties2(device.physical, &query, &answer);
    if (result == VK_ERROR_FORMAT_NOT_SUPPORTED)
        return fail("gpu/unsupported-format",
                    fmt::format("image \"{}\" of format {} cannot be used as {} on {}", name,
                                info(desc.format).name, usage_names(usage), device.caps.name),
                    "another format may be possible: rgba16_sfloat and rgba8_unorm are the most "
                    "widely supported");
    if (auto ok = check(result, "vkGetPhysicalDeviceImageFormatProperties2"); !ok) return ok;
    const VkImageFormatProperties& most = answer.imageFormatProperties;
    const bool fits = desc.extent.width <= most.maxExtent.width &&
                      desc.extent.height <= most.maxExtent.height &&
                      desc.extent.depth <= most.maxExtent.depth && desc.mips <= most.maxMipLevels &&
                      desc.layers <= most.maxArrayLayers;
    const bool samples_fit = (most.sampleCounts & desc.samples) != 0;
    if (fits && samples_fit) return {};
    return fail("gpu/unsupported-format",
                fmt::format("image \"{}\" of format {} ({}x{}x{}, {} mips, {} layers, {} samples) "
                            "is more than {} allows for use as {}",
                            name, info(desc.format).name, desc.extent.width, desc.extent.height,
                            desc.extent.depth, desc.mips, desc.layers, desc.samples,
                            device.caps.name, usage_names(usage)));
}

Result<OwnedImage> create_image(const DeviceImpl& device, const ImageDesc& desc, UsageMask usage,
                                std::string_view name, QueueMask shared_by) {
    if (auto ok = check_support(device, desc, usage, name); !ok) return propagate(std::move(ok));
    VkImageCreateInfo create = image_info(desc, usage);
    const SharingFamilies families(device, shared_by);
    families.apply_to(create);
    VkImage image = VK_NULL_HANDLE;
    auto ok = check(device.vk.vkCreateImage(device.handle, &create, device.allocator, &image),
                    "vkCreateImage");
    if (!ok) return propagate(std::move(ok));
    device.set_debug_name(VK_OBJECT_TYPE_IMAGE, image, std::string(name));
    return OwnedImage(device, image);
}

Result<OwnedBuffer> create_buffer(const DeviceImpl& device, const BufferDesc& desc, UsageMask usage,
                                  std::string_view name, QueueMask shared_by, const void* chain) {
    VkBufferCreateInfo create = buffer_info(desc, usage);
    create.pNext = chain;
    const SharingFamilies families(device, shared_by);
    families.apply_to(create);
    VkBuffer buffer = VK_NULL_HANDLE;
    auto ok = check(device.vk.vkCreateBuffer(device.handle, &create, device.allocator, &buffer),
                    "vkCreateBuffer");
    if (!ok) return propagate(std::move(ok));
    device.set_debug_name(VK_OBJECT_TYPE_BUFFER, buffer, std::string(name));
    return OwnedBuffer(device, buffer);
}

std::uint64_t bound_bytes(const ResourceDesc& resource, const Range& range,
                          std::uint32_t element_bytes) {
    const std::uint64_t end = range.offset + range.size;
    if (element_bytes < 2 || end != resource.buffer().size) return range.size;
    if (resource.lifetime == Lifetime::imported) return range.size;
    const std::uint64_t elements = (range.size + element_bytes - 1) / element_bytes;
    const std::uint64_t room = align_up(end, kBufferPadding) - range.offset;
    return std::max(range.size, std::min(elements * element_bytes, room));
}

Range concrete(const ResourceDesc& resource, const Range& range) {
    return concrete_range(resource, range).value_or(whole(resource));
}

VkImageSubresourceRange subresources(Format format, const Range& range) {
    return {aspects(format), range.mip, range.mips, range.layer, range.layers};
}

} // namespace tuff
