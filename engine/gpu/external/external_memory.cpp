#include "gpu/device/one_off.hpp"
#include "gpu/device/vulkan_enums.hpp"
#include "gpu/execute/plan_enums.hpp"
#include "gpu/external/external_impl.hpp"
#include "gpu/memory/memory.hpp"
#include "gpu/memory/resource_info.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <array>
#include <optional>

namespace tuff {
namespace {

using Impl = ExternalResourceImpl;

/// What it takes for a buffer or an image: made so, it can be shared.
struct Sharing {
    bool possible = false;
    bool dedicated_only = false;
    bool passed_on = false; ///< by those who have opened it
};

Sharing sharing_of(const VkExternalMemoryProperties& properties) {
    constexpr VkExternalMemoryFeatureFlags kBoth =
        VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT;
    const VkExternalMemoryFeatureFlags has = properties.externalMemoryFeatures;
    return {.possible = (has & kBoth) == kBoth,
            .dedicated_only = (has & VK_EXTERNAL_MEMORY_FEATURE_DEDICATED_ONLY_BIT) != 0,
            .passed_on = (properties.exportFromImportedHandleTypes & kMemoryHandle) != 0};
}

Sharing sharing_of(const DeviceImpl& device, const VkBufferCreateInfo& buffer) {
    VkPhysicalDeviceExternalBufferInfo query{};
    query.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO;
    query.usage = buffer.usage;
    query.handleType = kMemoryHandle;
    VkExternalBufferProperties answer{};
    answer.sType = VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES;
    vkGetPhysicalDeviceExternalBufferProperties(device.physical, &query, &answer);
    return sharing_of(answer.externalMemoryProperties);
}

Sharing sharing_of(const DeviceImpl& device, const VkImageCreateInfo& image) {
    VkPhysicalDeviceExternalImageFormatInfo external{};
    external.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_IMAGE_FORMAT_INFO;
    external.handleType = kMemoryHandle;
    VkPhysicalDeviceImageFormatInfo2 query{};
    query.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2;
    query.pNext = &external;
    query.format = image.format;
    query.type = image.imageType;
    query.tiling = image.tiling;
    query.usage = image.usage;
    query.flags = image.flags;
    VkExternalImageFormatProperties shared{};
    shared.sType = VK_STRUCTURE_TYPE_EXTERNAL_IMAGE_FORMAT_PROPERTIES;
    VkImageFormatProperties2 answer{};
    answer.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2;
    answer.pNext = &shared;
    if (vkGetPhysicalDeviceImageFormatProperties2(device.physical, &query, &answer) != VK_SUCCESS)
        return {};
    return sharing_of(shared.externalMemoryProperties);
}

struct Requirements {
    VkMemoryRequirements memory{};
    bool dedicated = false; ///< the driver wants memory for it alone
};

Requirements requirements_of(const Impl& impl) {
    const DeviceImpl& device = *impl.device;
    VkMemoryDedicatedRequirements dedicated{};
    dedicated.sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS;
    VkMemoryRequirements2 needs{};
    needs.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2;
    needs.pNext = &dedicated;
    if (impl.image) {
        VkImageMemoryRequirementsInfo2 query{};
        query.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2;
        query.image = impl.image.get();
        device.vk.vkGetImageMemoryRequirements2(device.handle, &query, &needs);
    } else {
        VkBufferMemoryRequirementsInfo2 query{};
        query.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_REQUIREMENTS_INFO_2;
        query.buffer = impl.buffer.get();
        device.vk.vkGetBufferMemoryRequirements2(device.handle, &query, &needs);
    }
    return {.memory = needs.memoryRequirements,
            .dedicated = dedicated.prefersDedicatedAllocation == VK_TRUE ||
                         dedicated.requiresDedicatedAllocation == VK_TRUE};
}

ExternalMemory& memory_info(Impl& impl) {
    return impl.image ? impl.image_info.memory : impl.buffer_info.memory;
}

/// Allocates what `memory_info` says, or imports it from `descriptor` if there is one.
Result<void> allocate(Impl& impl, FileDescriptor* descriptor) {
    const DeviceImpl& device = *impl.device;
    const ExternalMemory& memory = memory_info(impl);
    VkMemoryDedicatedAllocateInfo dedicated{};
    dedicated.sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO;
    dedicated.buffer = impl.buffer.get();
    dedicated.image = impl.image.get();
    const void* chain = memory.dedicated != 0 ? &dedicated : nullptr;
    VkExportMemoryAllocateInfo exported{};
    exported.sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO;
    exported.pNext = chain;
    exported.handleTypes = kMemoryHandle;
    if (impl.exports) chain = &exported;
    VkImportMemoryFdInfoKHR imported{};
    imported.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR;
    imported.pNext = chain;
    imported.handleType = kMemoryHandle;
    VkMemoryAllocateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    info.pNext = chain;
    info.allocationSize = memory.bytes;
    info.memoryTypeIndex = memory.type;
    std::optional<HandedOver> handed;
    if (descriptor) {
        imported.fd = descriptor->get();
        info.pNext = &imported;
        handed.emplace(*descriptor);
    }
    VkDeviceMemory handle = VK_NULL_HANDLE;
    const VkResult result =
        device.vk.vkAllocateMemory(device.handle, &info, device.allocator, &handle);
    if (handed) handed->settle(result >= VK_SUCCESS);
    if (result == VK_ERROR_INVALID_EXTERNAL_HANDLE)
        return external_mismatch(fmt::format("{} finds no memory of {} bytes in the descriptor",
                                             device.caps.name, memory.bytes),
                                 "send the one of ExternalResource::export_memory, with its info");
    if (auto ok = check(result, "vkAllocateMemory"); !ok) return ok;
    impl.memory = OwnedMemory(device, handle);
    if (impl.image)
        return check(
            device.vk.vkBindImageMemory(device.handle, impl.image.get(), handle, memory.offset),
            "vkBindImageMemory");
    return check(
        device.vk.vkBindBufferMemory(device.handle, impl.buffer.get(), handle, memory.offset),
        "vkBindBufferMemory");
}

/// Memory of a size, type and kind that the driver wants for it.
Result<void> allocate_new(Impl& impl, bool dedicated_only) {
    const Requirements needs = requirements_of(impl);
    const std::uint32_t types = needs.memory.memoryTypeBits;
    auto type = impl.device->find_memory_type(types, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    if (!type) type = impl.device->find_memory_type(types, 0);
    if (!type) return fail("gpu/out-of-memory", "no memory type fits what is to be shared");
    memory_info(impl) = {.identity = identity_of(impl.device->physical),
                         .bytes = needs.memory.size,
                         .offset = 0,
                         .type = *type,
                         .dedicated = dedicated_only || needs.dedicated ? 1u : 0u};
    return allocate(impl, nullptr);
}

std::unexpected<Diagnostics> no_room(const ExternalMemory& memory, std::uint64_t bytes,
                                     std::uint64_t alignment) {
    return external_mismatch(
        fmt::format("{} bytes of memory are to hold, at byte {}, what takes {} bytes aligned to {}",
                    memory.bytes, memory.offset, bytes, alignment),
        "send the info of the resource whose memory it is");
}

/// Memory of another program, which may have sent anything; before anything is made for it.
Result<void> check_memory(const DeviceImpl& device, const ExternalMemory& memory,
                          const FileDescriptor& descriptor, std::string_view what) {
    if (auto ok = check_identity(device, memory.identity, what); !ok) return ok;
    struct stat file {};
    if (descriptor.get() < 0 || fstat(descriptor.get(), &file) != 0)
        return external_mismatch("the descriptor of the memory is not open",
                                 "receive it by SCM_RIGHTS, or inherit it");
    // Drivers that make files of their memory map them as long as they are told.
    if (S_ISREG(file.st_mode) && static_cast<std::uint64_t>(file.st_size) < memory.bytes)
        return external_mismatch(fmt::format("the memory has {} bytes, and its info says {}",
                                             file.st_size, memory.bytes),
                                 "send the info of the resource whose memory it is");
    return {};
}

/// The memory for a resource that has been made.
Result<void> open_memory(Impl& impl, FileDescriptor& descriptor) {
    const ExternalMemory& memory = memory_info(impl);
    const VkMemoryRequirements needs = requirements_of(impl).memory;
    const std::uint64_t room = memory.bytes > memory.offset ? memory.bytes - memory.offset : 0;
    if (room < needs.size || memory.offset % needs.alignment != 0)
        return no_room(memory, needs.size, needs.alignment);
    if (memory.type >= impl.device->memory.memoryTypeCount ||
        (needs.memoryTypeBits >> memory.type & 1u) == 0)
        return external_mismatch(fmt::format("memory of type {} cannot hold it on {}", memory.type,
                                             impl.device->caps.name),
                                 "send the info of the resource whose memory it is");
    return allocate(impl, &descriptor);
}

VkImageSubresourceRange whole_of(const ImageDesc& desc) {
    return {aspects(desc.format), 0, desc.mips, 0, desc.layers};
}

/// The whole of it, from one owner to the other.
void record_transfer(const Impl& impl, VkCommandBuffer commands, std::uint32_t from,
                     std::uint32_t to) {
    constexpr VkPipelineStageFlags2 kAll = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    constexpr VkAccessFlags2 kAny = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
    const bool acquires = from == VK_QUEUE_FAMILY_EXTERNAL;
    VkDependencyInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO;
    const auto fill = [&](auto& barrier) {
        barrier.srcStageMask = kAll;
        barrier.srcAccessMask = acquires ? 0 : kAny;
        barrier.dstStageMask = kAll;
        barrier.dstAccessMask = acquires ? kAny : 0;
        barrier.srcQueueFamilyIndex = from;
        barrier.dstQueueFamilyIndex = to;
    };
    VkBufferMemoryBarrier2 buffer{};
    VkImageMemoryBarrier2 image{};
    if (impl.image) {
        image.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2;
        fill(image);
        image.oldLayout = image.newLayout = to_vk(impl.image_info.layout);
        image.image = impl.image.get();
        image.subresourceRange = whole_of(impl.image_info.desc);
        info.imageMemoryBarrierCount = 1;
        info.pImageMemoryBarriers = &image;
    } else {
        buffer.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2;
        fill(buffer);
        buffer.buffer = impl.buffer.get();
        buffer.size = VK_WHOLE_SIZE;
        info.bufferMemoryBarrierCount = 1;
        info.pBufferMemoryBarriers = &buffer;
    }
    impl.device->vk.vkCmdPipelineBarrier2(commands, &info);
}

Result<void> record_transfers(Impl& impl) {
    const DeviceImpl& device = *impl.device;
    const std::uint32_t own = device.graphics->family;
    VkCommandPoolCreateInfo pool{};
    pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    pool.queueFamilyIndex = own;
    VkCommandPool handle = VK_NULL_HANDLE;
    auto ok = check(device.vk.vkCreateCommandPool(device.handle, &pool, device.allocator, &handle),
                    "vkCreateCommandPool");
    if (!ok) return ok;
    impl.pool = OwnedCommandPool(device, handle);
    VkCommandBufferAllocateInfo allocate{};
    allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
    allocate.commandPool = handle;
    allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    allocate.commandBufferCount = 2;
    std::array<VkCommandBuffer, 2> both{};
    ok = check(device.vk.vkAllocateCommandBuffers(device.handle, &allocate, both.data()),
               "vkAllocateCommandBuffers");
    if (!ok) return ok;
    impl.acquire = both[0];
    impl.release = both[1];
    VkCommandBufferBeginInfo begin{};
    begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    begin.flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
    for (const VkCommandBuffer commands : both) {
        ok = check(device.vk.vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
        if (!ok) return ok;
        if (commands == impl.acquire)
            record_transfer(impl, commands, VK_QUEUE_FAMILY_EXTERNAL, own);
        else
            record_transfer(impl, commands, own, VK_QUEUE_FAMILY_EXTERNAL);
        ok = check(device.vk.vkEndCommandBuffer(commands), "vkEndCommandBuffer");
        if (!ok) return ok;
    }
    return {};
}

/// A new resource's first release, so that all executions find it alike.
Result<void> release_new(const Impl& impl) {
    auto one_off = OneOff::create(*impl.device);
    if (!one_off) return propagate(std::move(one_off));
    return one_off->run([&](VkCommandBuffer commands) {
        constexpr VkPipelineStageFlags2 kAll = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
        if (impl.image)
            record_layout_change(*impl.device, commands, impl.image.get(),
                                 whole_of(impl.image_info.desc), VK_IMAGE_LAYOUT_UNDEFINED,
                                 to_vk(impl.image_info.layout), {kAll, 0, kAll, 0});
        record_transfer(impl, commands, impl.device->graphics->family, VK_QUEUE_FAMILY_EXTERNAL);
    });
}

/// Memory for a resource that has been made, and all that its executions need.
Result<void> complete(Impl& impl, bool dedicated_only, FileDescriptor* descriptor) {
    auto ok = descriptor ? open_memory(impl, *descriptor) : allocate_new(impl, dedicated_only);
    if (!ok) return ok;
    if (ok = record_transfers(impl); !ok) return ok;
    return descriptor ? Result<void>() : release_new(impl);
}

/// Usages that buffers or images can have and other programs may know.
constexpr UsageMask kBufferUsages = kExternalBufferUsage;
constexpr UsageMask kImageUsages =
    kExternalImageUsage | usage::kColorAttachment | usage::kDepthAttachment;

Result<void> check_usage(UsageMask usage, UsageMask possible) {
    if (usage != 0 && (usage & ~possible) == 0) return {};
    return external_mismatch(fmt::format("the usage {:#x} is none that is shared", usage),
                             fmt::format("any of {}", usage_names(possible)));
}

/// Sizes that are possible at all: the driver is only asked about these.
bool is_possible(const ImageDesc& desc) {
    const Extent& extent = desc.extent;
    return info(desc.format).format != Format::undefined && extent.width > 0 && extent.height > 0 &&
           extent.depth > 0 && desc.mips > 0 && desc.mips <= full_mip_count(extent) &&
           desc.layers > 0 && desc.samples == 1 && desc.shape <= ImageShape::cube &&
           (desc.shape == ImageShape::d3 ? desc.layers == 1 : extent.depth == 1) &&
           (desc.shape != ImageShape::cube ||
            (desc.layers % 6 == 0 && extent.width == extent.height));
}

/// The usage that a layout is for; none: images cannot be in it between executions.
std::optional<UsageMask> layout_usage(Layout layout) {
    switch (layout) {
    case Layout::general: return 0;
    case Layout::color_attachment: return usage::kColorAttachment;
    case Layout::depth_attachment:
    case Layout::depth_read_only: return usage::kDepthAttachment;
    case Layout::shader_read_only: return usage::kSampled;
    case Layout::transfer_source: return usage::kTransferSource;
    case Layout::transfer_destination: return usage::kTransferDestination;
    default: return std::nullopt;
    }
}

Result<std::unique_ptr<Impl>> make_buffer(const DeviceImpl& device, const ExternalBufferInfo& info,
                                          FileDescriptor* descriptor) {
    if (!device.vk.vkGetMemoryFdKHR) return fail(no_external_memory(device, "memory"));
    if (auto ok = check_usage(info.usage, kBufferUsages); !ok) return propagate(std::move(ok));
    if (info.desc.size == 0 || info.desc.size > kMaxResourceBytes)
        return external_mismatch(
            fmt::format("a buffer of {} bytes is not possible", info.desc.size),
            "BufferDesc::size has its bytes");
    if (descriptor && info.desc.size > info.memory.bytes)
        return no_room(info.memory, info.desc.size, 1);
    auto impl = std::make_unique<Impl>(device);
    impl->buffer_info = info;
    VkExternalMemoryBufferCreateInfo external{};
    external.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO;
    external.handleTypes = kMemoryHandle;
    VkBufferCreateInfo& create = impl->buffer_created = buffer_info(info.desc, info.usage);
    const Sharing sharing = sharing_of(device, create);
    if (!sharing.possible) return fail(no_external_memory(device, "such buffers"));
    impl->exports = !descriptor || sharing.passed_on;
    create.pNext = &external;
    VkBuffer handle = VK_NULL_HANDLE;
    auto ok = check(device.vk.vkCreateBuffer(device.handle, &create, device.allocator, &handle),
                    "vkCreateBuffer");
    create.pNext = nullptr;
    if (!ok) return propagate(std::move(ok));
    impl->buffer = OwnedBuffer(device, handle);
    device.set_debug_name(VK_OBJECT_TYPE_BUFFER, handle, "external buffer");
    ok = complete(*impl, sharing.dedicated_only, descriptor);
    if (!ok) return propagate(std::move(ok));
    return impl;
}

Result<std::unique_ptr<Impl>> make_image(const DeviceImpl& device, const ExternalImageInfo& info,
                                         FileDescriptor* descriptor) {
    if (!device.vk.vkGetMemoryFdKHR) return fail(no_external_memory(device, "memory"));
    if (auto ok = check_usage(info.usage, kImageUsages); !ok) return propagate(std::move(ok));
    const auto needed = layout_usage(info.layout);
    if (!is_possible(info.desc) || !needed || (info.usage & *needed) != *needed)
        return external_mismatch("there is no such image",
                                 "see ImageDesc: sizes, mips and layers of one texel or more, one "
                                 "sample a texel, a format, and a layout that the usage allows");
    if (auto ok = check_support(device, info.desc, info.usage, "external image"); !ok)
        return propagate(std::move(ok));
    auto impl = std::make_unique<Impl>(device);
    impl->image_info = info;
    VkExternalMemoryImageCreateInfo external{};
    external.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO;
    external.handleTypes = kMemoryHandle;
    VkImageCreateInfo& create = impl->image_created = image_info(info.desc, info.usage);
    const Sharing sharing = sharing_of(device, create);
    if (!sharing.possible)
        return fail(no_external_memory(device, fmt::format("images of format {} used as {}",
                                                           tuff::info(info.desc.format).name,
                                                           usage_names(info.usage))));
    impl->exports = !descriptor || sharing.passed_on;
    create.pNext = &external;
    VkImage handle = VK_NULL_HANDLE;
    auto ok = check(device.vk.vkCreateImage(device.handle, &create, device.allocator, &handle),
                    "vkCreateImage");
    create.pNext = nullptr;
    if (!ok) return propagate(std::move(ok));
    impl->image = OwnedImage(device, handle);
    device.set_debug_name(VK_OBJECT_TYPE_IMAGE, handle, "external image");
    ok = complete(*impl, sharing.dedicated_only, descriptor);
    if (!ok) return propagate(std::move(ok));
    return impl;
}

} // namespace

ExternalResourceImpl::~ExternalResourceImpl() {
    if (pool) wait_for_graphics_queue(*device);
}

ExternalResource::ExternalResource(std::unique_ptr<ExternalResourceImpl> impl)
    : impl_(std::move(impl)) {}
ExternalResource::ExternalResource(ExternalResource&&) noexcept = default;
ExternalResource& ExternalResource::operator=(ExternalResource&&) noexcept = default;
ExternalResource::~ExternalResource() = default;

Result<FileDescriptor> ExternalResource::export_memory() const {
    const DeviceImpl& device = *impl_->device;
    if (!impl_->exports) return fail(no_external_memory(device, "what another has shared"));
    VkMemoryGetFdInfoKHR info{};
    info.sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR;
    info.memory = impl_->memory.get();
    info.handleType = kMemoryHandle;
    int number = -1;
    auto ok = check(device.vk.vkGetMemoryFdKHR(device.handle, &info, &number), "vkGetMemoryFdKHR");
    if (!ok) return propagate(std::move(ok));
    return FileDescriptor(number);
}

ExternalBuffer::ExternalBuffer(std::unique_ptr<ExternalResourceImpl> impl)
    : ExternalResource(std::move(impl)) {}

Result<ExternalBuffer> ExternalBuffer::create(Device& device, const BufferDesc& desc,
                                              UsageMask usage) {
    auto made = make_buffer(device.impl(), {.desc = desc, .usage = usage, .memory = {}}, nullptr);
    if (!made) return propagate(std::move(made));
    return ExternalBuffer(std::move(*made));
}

Result<ExternalBuffer> ExternalBuffer::open(Device& device, const ExternalBufferInfo& info,
                                            FileDescriptor memory) {
    if (auto ok = check_memory(device.impl(), info.memory, memory, "buffer"); !ok)
        return propagate(std::move(ok));
    auto made = make_buffer(device.impl(), info, &memory);
    if (!made) return propagate(std::move(made));
    return ExternalBuffer(std::move(*made));
}

const ExternalBufferInfo& ExternalBuffer::info() const {
    return impl().buffer_info;
}

ExternalImage::ExternalImage(std::unique_ptr<ExternalResourceImpl> impl)
    : ExternalResource(std::move(impl)) {}

Result<ExternalImage> ExternalImage::create(Device& device, const ImageDesc& desc, UsageMask usage,
                                            Layout layout) {
    auto made = make_image(device.impl(),
                           {.desc = desc, .usage = usage, .layout = layout, .memory = {}}, nullptr);
    if (!made) return propagate(std::move(made));
    return ExternalImage(std::move(*made));
}

Result<ExternalImage> ExternalImage::open(Device& device, const ExternalImageInfo& info,
                                          FileDescriptor memory) {
    if (auto ok = check_memory(device.impl(), info.memory, memory, "image"); !ok)
        return propagate(std::move(ok));
    auto made = make_image(device.impl(), info, &memory);
    if (!made) return propagate(std::move(made));
    return ExternalImage(std::move(*made));
}

const ExternalImageInfo& ExternalImage::info() const {
    return impl().image_info;
}

} // namespace tuff
