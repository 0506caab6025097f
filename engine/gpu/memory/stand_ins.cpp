#include "gpu/memory/stand_ins.hpp"

#include "gpu/device/one_off.hpp"
#include "gpu/device/vulkan_enums.hpp"
#include "gpu/memory/resource_info.hpp"
#include "gpu/memory/views.hpp"

#include <algorithm>

namespace tuff {
namespace {

constexpr std::uint64_t kBufferBytes = 16 * 1024; // every device takes uniform blocks of so many

/// All queues that the device has, for it is not known who will read.
QueueMask all_queues(const DeviceImpl& device) {
    QueueMask all = 0;
    for (const Queue queue : {Queue::graphics, Queue::compute, Queue::transfer})
        if (device.queue(queue)) all = static_cast<QueueMask>(all | mask_of(queue));
    return all;
}

/// A format that reads as the kernel's type, and that every device samples and stores.
Format format_for(const ShaderBinding& binding) {
    if (binding.format != Format::undefined) return binding.format;
    switch (binding.scalar) {
    case ScalarType::int32: return Format::r32_sint;
    case ScalarType::uint32: return Format::r32_uint;
    default: return binding.multisampled ? Format::rgba8_unorm : Format::r32_sfloat;
    }
}

/// The fewest that make an image multisampled. Integers may have fewer than floats.
std::uint32_t samples_for(const DeviceImpl& device, const ShaderBinding& binding) {
    if (!binding.multisampled) return 1;
    const VkSampleCountFlags possible = binding.scalar == ScalarType::float32
                                            ? device.limits.sampledImageColorSampleCounts
                                            : device.limits.sampledImageIntegerSampleCounts;
    for (std::uint32_t samples = 2; samples <= 64; samples *= 2)
        if (possible & samples) return samples;
    return 2; // create_image reports it
}

ImageDesc desc_for(const DeviceImpl& device, const ShaderBinding& binding) {
    ImageDesc desc{.format = format_for(binding),
                   .extent = {1, 1, 1},
                   .samples = samples_for(device, binding)};
    if (binding.dimension == ImageDimension::d3) desc.shape = ImageShape::d3;
    if (binding.dimension == ImageDimension::d2_array) desc.shape = ImageShape::d2_array;
    if (binding.dimension == ImageDimension::cube) {
        desc.shape = ImageShape::cube;
        desc.layers = 6;
    }
    return desc;
}

/// Whoever waits for the host's submission sees what was cleared: the host waits for it here.
Dependency before_clear() {
    return {.destination_stages = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
            .destination_memory = VK_ACCESS_2_TRANSFER_WRITE_BIT};
}
Dependency after_clear() {
    return {.source_stages = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
            .source_memory = VK_ACCESS_2_TRANSFER_WRITE_BIT,
            .destination_stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
            .destination_memory = VK_ACCESS_2_MEMORY_READ_BIT};
}

} // namespace

Result<VkDescriptorBufferInfo> StandIns::buffer(const DeviceImpl& device,
                                                const ShaderBinding& binding) {
    const std::lock_guard lock(mutex_);
    const std::uint64_t wanted = std::max<std::uint64_t>(binding.block_bytes, kBufferPadding);
    const std::uint64_t bytes = std::min(align_up(wanted, kBufferPadding), kBufferBytes);
    if (buffer_)
        return VkDescriptorBufferInfo{.buffer = buffer_.get(), .offset = 0, .range = bytes};
    auto made = create_buffer(device, {.size = kBufferBytes},
                              usage::kStorage | usage::kUniform | usage::kTransferDestination,
                              "stand-in", all_queues(device));
    if (!made) return propagate(std::move(made));
    const Unplaced unplaced{.buffer = made->get()};
    auto placed = place_together(device, std::span(&unplaced, 1));
    if (!placed) return propagate(std::move(placed));
    auto once = OneOff::create(device);
    if (!once) return propagate(std::move(once));
    auto ok = once->run([&](VkCommandBuffer commands) {
        device.vk.vkCmdFillBuffer(commands, made->get(), 0, VK_WHOLE_SIZE, 0);
        record_memory_barrier(device, commands, after_clear());
    });
    if (!ok) return propagate(std::move(ok));
    buffer_placement_ = std::move(placed->front());
    buffer_ = std::move(*made);
    return VkDescriptorBufferInfo{.buffer = buffer_.get(), .offset = 0, .range = bytes};
}

Result<VkDescriptorImageInfo> StandIns::image(const DeviceImpl& device,
                                              const ShaderBinding& binding) {
    const std::lock_guard lock(mutex_);
    const bool storage = binding.kind == BindingKind::storage_image;
    const auto info = [](const Image& image) {
        return VkDescriptorImageInfo{.imageView = image.view.get(),
                                     .imageLayout = VK_IMAGE_LAYOUT_GENERAL};
    };
    Image one{.desc = desc_for(device, binding),
              .dimension = binding.dimension,
              .storage = storage,
              .placement = {},
              .image = {},
              .view = {}};
    for (const Image& known : images_)
        if (known.desc == one.desc && known.dimension == one.dimension && known.storage == storage)
            return info(known);

    const UsageMask usage =
        (storage ? usage::kStorage : usage::kSampled) | usage::kTransferDestination;
    auto made = create_image(device, one.desc, usage, "stand-in", all_queues(device));
    if (!made) return propagate(std::move(made));
    one.image = std::move(*made);
    const Unplaced unplaced{.image = one.image.get()};
    auto placed = place_together(device, std::span(&unplaced, 1));
    if (!placed) return propagate(std::move(placed));
    one.placement = std::move(placed->front());
    auto once = OneOff::create(device);
    if (!once) return propagate(std::move(once));
    const VkImageSubresourceRange whole{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, one.desc.layers};
    auto ok = once->run([&](VkCommandBuffer commands) {
        const VkClearColorValue zero{};
        record_layout_change(device, commands, one.image.get(), whole, VK_IMAGE_LAYOUT_UNDEFINED,
                             VK_IMAGE_LAYOUT_GENERAL, before_clear());
        device.vk.vkCmdClearColorImage(commands, one.image.get(), VK_IMAGE_LAYOUT_GENERAL, &zero, 1,
                                       &whole);
        record_memory_barrier(device, commands, after_clear());
    });
    if (!ok) return propagate(std::move(ok));

    VkImageViewCreateInfo view{};
    view.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO;
    view.image = one.image.get();
    view.viewType = to_vk(one.dimension);
    view.format = to_vk(one.desc.format);
    view.subresourceRange = whole;
    VkImageView handle = VK_NULL_HANDLE;
    ok = check(device.vk.vkCreateImageView(device.handle, &view, device.allocator, &handle),
               "vkCreateImageView");
    if (!ok) return propagate(std::move(ok));
    one.view = OwnedImageView(device, handle);
    images_.push_back(std::move(one));
    return info(images_.back());
}

} // namespace tuff
