#include "gpu/memory/views.hpp"

#include "gpu/device/vulkan_enums.hpp"

namespace tuff {
namespace {

/// Shaders see one aspect at a time: depth where there is depth.
VkImageAspectFlags shader_aspects(Format format) {
    const VkImageAspectFlags all = aspects(format);
    return all & VK_IMAGE_ASPECT_DEPTH_BIT ? VkImageAspectFlags{VK_IMAGE_ASPECT_DEPTH_BIT} : all;
}

} // namespace

Result<VkImageView> ViewCache::get(const DeviceImpl& device, const ViewRequest& request) {
    const Range& range = request.range;
    const Key key{request.image, request.type, request.aspects, range.mip,
                  range.mips,    range.layer,  range.layers};
    const std::lock_guard lock(mutex_);
    if (const auto known = views_.find(key); known != views_.end()) return known->second.get();
    VkImageViewCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO;
    info.image = request.image;
    info.viewType = request.type;
    info.format = to_vk(request.format);
    info.subresourceRange = {request.aspects, range.mip, range.mips, range.layer, range.layers};
    VkImageView view = VK_NULL_HANDLE;
    auto ok = check(device.vk.vkCreateImageView(device.handle, &info, device.allocator, &view),
                    "vkCreateImageView");
    if (!ok) return propagate(std::move(ok));
    views_.emplace(key, OwnedImageView(device, view));
    return view;
}

void ViewCache::forget(VkImage image) {
    std::erase_if(views_, [image](const auto& view) { return std::get<0>(view.first) == image; });
}

ViewRequest shader_view(VkImage image, const ImageDesc& desc, const Range& range, BindingKind kind,
                        ImageDimension dimension) {
    ViewRequest request{.image = image,
                        .format = desc.format,
                        .type = to_vk(dimension),
                        .aspects = shader_aspects(desc.format),
                        .range = range};
    if (kind == BindingKind::storage_image) request.range.mips = 1;
    const bool arrayed = dimension == ImageDimension::d2_array || dimension == ImageDimension::cube;
    if (!arrayed) request.range.layers = 1;
    if (dimension == ImageDimension::cube) request.range.layers = 6;
    return request;
}

ViewRequest attachment_view(VkImage image, const ImageDesc& desc, const Range& range) {
    ViewRequest request{.image = image,
                        .format = desc.format,
                        .type =
                            range.layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D,
                        .aspects = aspects(desc.format),
                        .range = range};
    request.range.mips = 1;
    return request;
}

ViewRequest natural_view(VkImage image, const ImageDesc& desc, const Range& range) {
    ViewRequest request{.image = image,
                        .format = desc.format,
                        .type = VK_IMAGE_VIEW_TYPE_2D,
                        .aspects = shader_aspects(desc.format),
                        .range = range};
    if (desc.shape == ImageShape::d3)
        request.type = VK_IMAGE_VIEW_TYPE_3D;
    else if (desc.shape == ImageShape::cube && range.layers == 6 && range.layer % 6 == 0)
        request.type = VK_IMAGE_VIEW_TYPE_CUBE;
    else if (range.layers > 1)
        request.type = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
    return request;
}

} // namespace tuff
