#include "gpu/present/frame_copy.hpp"

#include "gpu/device/vulkan_enums.hpp"
#include "gpu/execute/plan_enums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tuff {
namespace {

constexpr VkImageSubresourceRange kFirstOfImage{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
constexpr VkImageSubresourceLayers kFirstLayer{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};

VkFormatFeatureFlags features_of(const DeviceImpl& device, Format format) {
    VkFormatProperties properties{};
    vkGetPhysicalDeviceFormatProperties(device.physical, to_vk(format), &properties);
    return properties.optimalTilingFeatures;
}

bool converts(NumericKind kind) {
    return kind != NumericKind::none && kind != NumericKind::uint && kind != NumericKind::sint &&
           kind != NumericKind::srgb;
}

} // namespace

Result<void> check_presentable(const DeviceImpl& device, const OutputPlace& output,
                               std::string_view name) {
    if (!output.resource->is_image()) return wrong_output_kind(name, "is a buffer, not an image");
    const ImageDesc& desc = output.resource->image();
    if (desc.samples != 1) return wrong_output_kind(name, "is multisampled; resolve it first");
    if (desc.extent.depth != 1) return wrong_output_kind(name, "is 3-D; take a slice of it first");
    const FormatInfo& format = info(desc.format);
    if (converts(format.kind) && !format.depth && !format.stencil &&
        (features_of(device, desc.format) & VK_FORMAT_FEATURE_BLIT_SRC_BIT) != 0)
        return {};
    return fail("present/format",
                fmt::format("output \"{}\" has format {}, which cannot be shown in a window", name,
                            format.name),
                "bring it to rgba8_unorm or rgba16_sfloat first, with image/tonemap for instance");
}

FrameBox fitted(Extent picture, Extent window) {
    const double scale =
        std::min(double(window.width) / picture.width, double(window.height) / picture.height);
    const auto scaled = [scale](std::uint32_t side, std::uint32_t most) {
        const double exact = std::round(side * scale);
        return static_cast<std::int32_t>(std::clamp(exact, 1.0, double(most)));
    };
    FrameBox box{.width = scaled(picture.width, window.width),
                 .height = scaled(picture.height, window.height)};
    box.x = (static_cast<std::int32_t>(window.width) - box.width) / 2;
    box.y = (static_cast<std::int32_t>(window.height) - box.height) / 2;
    return box;
}

void record_frame_copy(const DeviceImpl& device, VkCommandBuffer commands,
                       const OutputPlace& output, VkImage window_image, Extent window) {
    const VolkDeviceTable& vk = device.vk;
    const ImageDesc& picture = output.resource->image();
    const VkImage source = output.handle.image;
    const VkImageLayout left_in = to_vk(output.last.layout);
    constexpr VkImageLayout kRead = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    constexpr VkImageLayout kWritten = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    // Whatever access the output is left for, its writes come before and those of the next
    // execution, which wait for that access alone, after this copy.
    record_layout_change(device, commands, source, kFirstOfImage, left_in, kRead,
                         {VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_MEMORY_WRITE_BIT,
                          VK_PIPELINE_STAGE_2_BLIT_BIT, VK_ACCESS_2_TRANSFER_READ_BIT});
    record_layout_change(
        device, commands, window_image, kFirstOfImage, VK_IMAGE_LAYOUT_UNDEFINED, kWritten,
        {kFrameCopyStages, VK_ACCESS_2_NONE, kFrameCopyStages, VK_ACCESS_2_TRANSFER_WRITE_BIT});
    const FrameBox box = fitted(picture.extent, window);
    if (box != FrameBox{0, 0, static_cast<std::int32_t>(window.width),
                        static_cast<std::int32_t>(window.height)}) {
        const VkClearColorValue black{{0.0f, 0.0f, 0.0f, 1.0f}};
        vk.vkCmdClearColorImage(commands, window_image, kWritten, &black, 1, &kFirstOfImage);
        record_memory_barrier(device, commands,
                              {VK_PIPELINE_STAGE_2_CLEAR_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                               VK_PIPELINE_STAGE_2_BLIT_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT});
    }
    VkImageBlit region{};
    region.srcSubresource = region.dstSubresource = kFirstLayer;
    region.srcOffsets[1] = {static_cast<std::int32_t>(picture.extent.width),
                            static_cast<std::int32_t>(picture.extent.height), 1};
    region.dstOffsets[0] = {box.x, box.y, 0};
    region.dstOffsets[1] = {box.x + box.width, box.y + box.height, 1};
    const bool scales = region.srcOffsets[1].x != box.width || region.srcOffsets[1].y != box.height;
    const bool smooth = scales && (features_of(device, picture.format) &
                                   VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT) != 0;
    vk.vkCmdBlitImage(commands, source, kRead, window_image, kWritten, 1, &region,
                      smooth ? VK_FILTER_LINEAR : VK_FILTER_NEAREST);
    record_layout_change(device, commands, source, kFirstOfImage, kRead, left_in,
                         {VK_PIPELINE_STAGE_2_BLIT_BIT, VK_ACCESS_2_NONE,
                          VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_NONE});
    record_layout_change(device, commands, window_image, kFirstOfImage, kWritten,
                         VK_IMAGE_LAYOUT_PRESENT_SRC_KHR,
                         {VK_PIPELINE_STAGE_2_BLIT_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                          VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_NONE});
}

} // namespace tuff
