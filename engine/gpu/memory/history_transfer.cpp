#include "gpu/memory/history_transfer.hpp"

#include "gpu/device/vulkan_enums.hpp"
#include "gpu/execute/plan_enums.hpp"

#include <algorithm>
#include <cstring>

namespace tuff {
namespace {

constexpr std::uint64_t kRoom = std::uint64_t{32} << 20;
/// Of a piece in the staging buffer: copies of images start at multiples of the texel's size.
constexpr std::uint64_t kPieceAlignment = 16;

constexpr Dependency kBeforeRead{VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_MEMORY_WRITE_BIT,
                                 VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT};
constexpr Dependency kAfterRead{
    VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT,
    VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_2_HOST_BIT,
    VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT | VK_ACCESS_2_HOST_READ_BIT};
constexpr Dependency kBeforeWrite{VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                  VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT,
                                  VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT};
constexpr Dependency kAfterWrite{VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                 VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                 VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT};

/// Bytes of a texel in a copy of one aspect, which Vulkan fixes whatever the device stores.
std::uint64_t bytes_of_aspect(Format format, VkImageAspectFlagBits aspect) {
    if (aspect == VK_IMAGE_ASPECT_STENCIL_BIT) return 1;
    if (aspect == VK_IMAGE_ASPECT_DEPTH_BIT && format != Format::d16_unorm) return 4;
    return info(format).texel_bytes;
}

} // namespace

Result<HistoryTransfer> HistoryTransfer::create(OneOff& one_off, const HistoryInfo& history) {
    HistoryTransfer result;
    result.one_off_ = &one_off;
    result.cut(history);
    std::uint64_t most = 0;
    for (const Batch& batch : result.batches_)
        most = std::max(most, batch.bytes);
    auto staging = create_host_buffer(
        one_off.device(), most, VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
        HostUse::read);
    if (!staging) return propagate(std::move(staging));
    result.staging_ = std::move(*staging);
    return result;
}

void HistoryTransfer::cut(const HistoryInfo& history) {
    if (history.is_image()) return cut_image(std::get<ImageDesc>(history.desc));
    const std::uint64_t size = std::get<BufferDesc>(history.desc).size;
    for (std::uint64_t at = 0; at < size; at += kRoom)
        add({.offset = at, .bytes = std::min(kRoom, size - at)});
}

void HistoryTransfer::cut_image(const ImageDesc& image) {
    const VkImageAspectFlags of_format = aspects(image.format);
    whole_ = {of_format, 0, image.mips, 0, image.layers};
    for (const VkImageAspectFlagBits aspect :
         {VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_ASPECT_DEPTH_BIT, VK_IMAGE_ASPECT_STENCIL_BIT}) {
        if ((of_format & VkImageAspectFlags{aspect}) == 0) continue;
        for (std::uint32_t mip = 0; mip < image.mips; ++mip)
            for (std::uint32_t layer = 0; layer < image.layers; ++layer) {
                const Extent extent = mip_extent(image.extent, mip);
                VkBufferImageCopy region{};
                region.imageSubresource = {VkImageAspectFlags{aspect}, mip, layer, 1};
                for (std::uint32_t z = 0; z < extent.depth; ++z) {
                    region.imageOffset.z = static_cast<std::int32_t>(z);
                    cut_slice(region, extent, bytes_of_aspect(image.format, aspect) * extent.width);
                }
            }
    }
}

/// Whole rows, as many as fit.
void HistoryTransfer::cut_slice(VkBufferImageCopy region, Extent extent, std::uint64_t row) {
    const auto most =
        static_cast<std::uint32_t>(std::clamp<std::uint64_t>(kRoom / row, 1, extent.height));
    for (std::uint32_t y = 0; y < extent.height; y += most) {
        const std::uint32_t rows = std::min(most, extent.height - y);
        region.imageOffset.y = static_cast<std::int32_t>(y);
        region.imageExtent = {extent.width, rows, 1};
        add({.image = region, .bytes = row * rows});
    }
}

void HistoryTransfer::add(Piece piece) {
    if (batches_.empty() || batches_.back().bytes + piece.bytes > kRoom) batches_.emplace_back();
    Batch& batch = batches_.back();
    piece.image.bufferOffset = batch.bytes;
    batch.bytes = align_up(batch.bytes + piece.bytes, kPieceAlignment);
    batch.pieces.push_back(piece);
}

Result<void> HistoryTransfer::copy_batch(const Batch& batch, const ResourceHandle& copy,
                                         Layout resting, bool to_host) {
    const DeviceImpl& device = one_off_->device();
    const VkBuffer staging = staging_.buffer.get();
    const Dependency& before = to_host ? kBeforeRead : kBeforeWrite;
    const Dependency& after = to_host ? kAfterRead : kAfterWrite;
    const VkImageLayout layout =
        to_host ? VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL : VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    return one_off_->run([&](VkCommandBuffer commands) {
        const auto change_layout = [&](VkImageLayout from, VkImageLayout to,
                                       const Dependency& dependency) {
            record_layout_change(device, commands, copy.image, whole_, from, to, dependency);
        };
        if (copy.image)
            change_layout(to_vk(resting), layout, before);
        else
            record_memory_barrier(device, commands, before);
        for (const Piece& piece : batch.pieces) {
            const std::uint64_t staged = piece.image.bufferOffset;
            if (copy.image && to_host) {
                device.vk.vkCmdCopyImageToBuffer(commands, copy.image, layout, staging, 1,
                                                 &piece.image);
            } else if (copy.image) {
                device.vk.vkCmdCopyBufferToImage(commands, staging, copy.image, layout, 1,
                                                 &piece.image);
            } else if (to_host) {
                const VkBufferCopy region{piece.offset, staged, piece.bytes};
                device.vk.vkCmdCopyBuffer(commands, copy.buffer, staging, 1, &region);
            } else {
                const VkBufferCopy region{staged, piece.offset, piece.bytes};
                device.vk.vkCmdCopyBuffer(commands, staging, copy.buffer, 1, &region);
            }
        }
        if (copy.image) change_layout(layout, to_vk(resting), after);
        record_memory_barrier(device, commands, after);
    });
}

Result<void> HistoryTransfer::read(const ResourceHandle& copy, Layout resting,
                                   std::span<std::byte> bytes) {
    std::size_t at = 0;
    for (const Batch& batch : batches_) {
        if (auto ok = copy_batch(batch, copy, resting, true); !ok) return ok;
        for (const Piece& piece : batch.pieces) {
            std::memcpy(bytes.data() + at, staging_.bytes.data() + piece.image.bufferOffset,
                        piece.bytes);
            at += piece.bytes;
        }
    }
    return {};
}

Result<void> HistoryTransfer::write(const ResourceHandle& copy, Layout resting,
                                    std::span<const std::byte> bytes) {
    std::size_t at = 0;
    for (const Batch& batch : batches_) {
        for (const Piece& piece : batch.pieces) {
            std::memcpy(staging_.bytes.data() + piece.image.bufferOffset, bytes.data() + at,
                        piece.bytes);
            at += piece.bytes;
        }
        if (auto ok = copy_batch(batch, copy, resting, false); !ok) return ok;
    }
    return {};
}

} // namespace tuff
