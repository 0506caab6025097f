// The transfer side of Recorder: copies, blits, fills, clears and uploads.

#include "gpu/device/vulkan_enums.hpp"
#include "gpu/execute/plan_enums.hpp"
#include "gpu/execute/recorder.hpp"
#include "gpu/memory/resource_info.hpp"

#include <algorithm>

namespace tuff {
namespace {

VkOffset3D offset_of(const std::array<std::int32_t, 3>& offset) {
    return {offset[0], offset[1], offset[2]};
}

VkImageSubresourceLayers layers_of(Format format, const Range& range, std::uint32_t mip) {
    return {aspects(format), range.mip + mip, range.layer, range.layers};
}

/// A buffer holds one aspect of an image: depth where there is depth.
VkImageAspectFlags buffer_aspects(Format format) {
    const VkImageAspectFlags all = aspects(format);
    return all & VK_IMAGE_ASPECT_DEPTH_BIT ? VkImageAspectFlags{VK_IMAGE_ASPECT_DEPTH_BIT} : all;
}

} // namespace

Result<void> Recorder::record(NodeId node, const CopyNode& copy) {
    const Bound source = bound(node, copy.source);
    const Bound destination = bound(node, copy.destination);
    if (source.desc->is_image() && destination.desc->is_image()) {
        copy_images(copy, source, destination);
    } else if (source.desc->is_image()) {
        copy_buffer_image(copy, destination, source, false);
    } else if (destination.desc->is_image()) {
        copy_buffer_image(copy, source, destination, true);
    } else {
        const VkBufferCopy region{source.range.offset, destination.range.offset,
                                  std::min(source.range.size, destination.range.size)};
        device_->vk.vkCmdCopyBuffer(commands_, source.handle.buffer, destination.handle.buffer, 1,
                                    &region);
    }
    return {};
}

void Recorder::copy_images(const CopyNode& copy, const Bound& source, const Bound& destination) {
    std::vector<VkImageCopy>& regions = scratch_->image_copies;
    regions.clear();
    const std::uint32_t mips = std::min(source.range.mips, destination.range.mips);
    for (std::uint32_t mip = 0; mip < mips; ++mip) {
        VkImageCopy region{};
        region.srcSubresource = layers_of(source.desc->image().format, source.range, mip);
        region.srcOffset = offset_of(copy.source_offset);
        region.dstSubresource = layers_of(destination.desc->image().format, destination.range, mip);
        region.dstOffset = offset_of(copy.destination_offset);
        region.extent = to_vk(mip_extent(copy.extent, mip));
        regions.push_back(region);
    }
    device_->vk.vkCmdCopyImage(commands_, source.handle.image, source.layout,
                               destination.handle.image, destination.layout,
                               static_cast<std::uint32_t>(regions.size()), regions.data());
}

void Recorder::copy_buffer_image(const CopyNode& copy, const Bound& buffer, const Bound& image,
                                 bool to_image) {
    const Format format = image.desc->image().format;
    std::vector<VkBufferImageCopy>& regions = scratch_->buffer_copies;
    regions.clear();
    std::uint64_t offset = buffer.range.offset;
    for (std::uint32_t mip = 0; mip < image.range.mips; ++mip) {
        const Extent extent = mip_extent(copy.extent, mip);
        VkBufferImageCopy region{};
        region.bufferOffset = offset;
        region.imageSubresource = layers_of(format, image.range, mip);
        region.imageSubresource.aspectMask = buffer_aspects(format);
        region.imageOffset = offset_of(to_image ? copy.destination_offset : copy.source_offset);
        region.imageExtent = to_vk(extent);
        regions.push_back(region);
        offset += byte_size(format, extent) * image.range.layers;
    }
    const auto count = static_cast<std::uint32_t>(regions.size());
    if (to_image)
        device_->vk.vkCmdCopyBufferToImage(commands_, buffer.handle.buffer, image.handle.image,
                                           image.layout, count, regions.data());
    else
        device_->vk.vkCmdCopyImageToBuffer(commands_, image.handle.image, image.layout,
                                           buffer.handle.buffer, count, regions.data());
}

Result<void> Recorder::record(NodeId node, const BlitNode& blit) {
    const Bound source = bound(node, blit.source);
    const Bound destination = bound(node, blit.destination);
    VkImageBlit region{};
    region.srcSubresource = layers_of(source.desc->image().format, source.range, 0);
    region.dstSubresource = layers_of(destination.desc->image().format, destination.range, 0);
    for (std::size_t corner = 0; corner < 2; ++corner) {
        region.srcOffsets[corner] = offset_of(blit.source_box[corner]);
        region.dstOffsets[corner] = offset_of(blit.destination_box[corner]);
    }
    device_->vk.vkCmdBlitImage(commands_, source.handle.image, source.layout,
                               destination.handle.image, destination.layout, 1, &region,
                               to_vk(blit.filter));
    return {};
}

Result<void> Recorder::record(NodeId node, const FillNode& fill) {
    const Bound target = bound(node, fill.destination);
    const VolkDeviceTable& vk = device_->vk;
    const VkClearColorValue color = color_value(fill.value);
    if (!target.desc->is_image()) {
        // Buffers are whole words long, whatever their description says.
        const std::uint64_t size = align_up(target.range.size, 4);
        vk.vkCmdFillBuffer(commands_, target.handle.buffer, target.range.offset, size,
                           color.uint32[0]);
        return {};
    }
    const FormatInfo& format = info(target.desc->image().format);
    const VkImageSubresourceRange range = subresources(format.format, target.range);
    if (format.depth || format.stencil) {
        const VkClearDepthStencilValue value = depth_value(fill.value);
        vk.vkCmdClearDepthStencilImage(commands_, target.handle.image, target.layout, &value, 1,
                                       &range);
    } else {
        vk.vkCmdClearColorImage(commands_, target.handle.image, target.layout, &color, 1, &range);
    }
    return {};
}

Result<void> Recorder::record(NodeId node, const UploadNode& upload) {
    if (!upload.bytes || upload.bytes->empty()) return {};
    const Bound target = bound(node, upload.destination);
    const VkBufferCopy region{s_->uploads->offset(node), target.range.offset,
                              std::min<std::uint64_t>(upload.bytes->size(), target.range.size)};
    device_->vk.vkCmdCopyBuffer(commands_, s_->upload_buffer, target.handle.buffer, 1, &region);
    return {};
}

} // namespace tuff
