#include "gpu/memory/uploader.hpp"

#include "gpu/device/vulkan_enums.hpp"
#include "gpu/execute/plan_enums.hpp"
#include "gpu/memory/resource_info.hpp"

#include <tuff/image.hpp>

#include <algorithm>
#include <cstring>

namespace tuff {
namespace {

constexpr std::uint64_t kStagingBytes = std::uint64_t{32} << 20;
// Copies into images start at multiples of the texel size and of 4; 16 serves every format.
constexpr std::uint64_t kStagingAlignment = 16;

constexpr Dependency kAfterCopy{VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT};

} // namespace

Result<Uploader> Uploader::create(const DeviceImpl& device, std::uint64_t total) {
    Uploader result;
    auto staging = create_host_buffer(device, std::min(align_up(total, 4096), kStagingBytes),
                                      VK_BUFFER_USAGE_TRANSFER_SRC_BIT, HostUse::write);
    if (!staging) return propagate(std::move(staging));
    result.staging_ = std::move(*staging);
    auto one_off = OneOff::create(device);
    if (!one_off) return propagate(std::move(one_off));
    result.one_off_ = std::move(*one_off);
    return result;
}

Result<void> Uploader::open() {
    if (open_) return {};
    open_ = true;
    return one_off_->begin();
}

Result<void> Uploader::send() {
    if (!open_) return {};
    open_ = false;
    used_ = 0;
    return one_off_->finish();
}

Result<Uploader::Staged> Uploader::stage(std::span<const std::byte> bytes, std::uint64_t unit) {
    std::uint64_t offset = align_up(used_, kStagingAlignment);
    if (offset + std::min<std::uint64_t>(unit, bytes.size()) > staging_.bytes.size()) {
        if (auto ok = send(); !ok) return propagate(std::move(ok));
        offset = 0;
    }
    if (auto ok = open(); !ok) return propagate(std::move(ok));
    std::uint64_t count = std::min<std::uint64_t>(bytes.size(), staging_.bytes.size() - offset);
    if (count < bytes.size()) count -= count % unit;
    std::memcpy(staging_.bytes.data() + offset, bytes.data(), count);
    used_ = offset + count;
    return Staged{offset, count};
}

Result<void> Uploader::image(VkImage image, const ImageDesc& desc,
                             std::span<const std::byte> texels, VkImageLayout layout) {
    const DeviceImpl& device = one_off_->device();
    const VkImageSubresourceRange all = {aspects(desc.format), 0, desc.mips, 0, desc.layers};
    if (auto ok = open(); !ok) return ok;
    record_layout_change(device, one_off_->commands(), image, all, VK_IMAGE_LAYOUT_UNDEFINED,
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                         {.destination_stages = VK_PIPELINE_STAGE_2_COPY_BIT,
                          .destination_memory = VK_ACCESS_2_TRANSFER_WRITE_BIT});
    std::uint64_t source = 0;
    for (std::uint32_t mip = 0; mip < desc.mips; ++mip) {
        const Extent extent = mip_extent(desc.extent, mip);
        const std::uint64_t row = byte_size(desc.format, {extent.width, 1, 1});
        for (std::uint32_t layer = 0; layer < desc.layers; ++layer) {
            for (std::uint32_t z = 0; z < extent.depth; ++z) {
                for (std::uint32_t y = 0; y < extent.height;) {
                    const std::uint64_t left = row * (extent.height - y);
                    const auto staged = stage(texels.subspan(source, left), row);
                    if (!staged) return std::unexpected(staged.error());
                    const auto rows = static_cast<std::uint32_t>(staged->bytes / row);
                    VkBufferImageCopy region{};
                    region.bufferOffset = staged->offset;
                    region.imageSubresource = {aspects(desc.format), mip, layer, 1};
                    region.imageOffset = {0, static_cast<std::int32_t>(y),
                                          static_cast<std::int32_t>(z)};
                    region.imageExtent = {extent.width, rows, 1};
                    device.vk.vkCmdCopyBufferToImage(one_off_->commands(), staging_.buffer.get(),
                                                     image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1,
                                                     &region);
                    source += staged->bytes;
                    y += rows;
                }
            }
        }
    }
    record_layout_change(device, one_off_->commands(), image, all,
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, layout, kAfterCopy);
    return {};
}

Result<void> Uploader::buffer(VkBuffer buffer, std::span<const std::byte> bytes) {
    const DeviceImpl& device = one_off_->device();
    for (std::uint64_t done = 0; done < bytes.size();) {
        const auto staged = stage(bytes.subspan(done), 4);
        if (!staged) return std::unexpected(staged.error());
        const VkBufferCopy region{staged->offset, done, staged->bytes};
        device.vk.vkCmdCopyBuffer(one_off_->commands(), staging_.buffer.get(), buffer, 1, &region);
        done += staged->bytes;
    }
    if (auto ok = open(); !ok) return ok;
    record_memory_barrier(device, one_off_->commands(), kAfterCopy);
    return {};
}

Result<void> Uploader::finish() {
    return send();
}

} // namespace tuff
