#include "gpu/memory/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

namespace tuff {
namespace {

// Objects placed together share allocations of about this size, so that a scene of a thousand
// textures stays far below maxMemoryAllocationCount.
constexpr std::uint64_t kChunkBytes = std::uint64_t{256} << 20;

Result<void> bind(const DeviceImpl& device, const Unplaced& object, VkDeviceMemory memory,
                  std::uint64_t offset) {
    if (object.image != VK_NULL_HANDLE)
        return check(device.vk.vkBindImageMemory(device.handle, object.image, memory, offset),
                     "vkBindImageMemory");
    return check(device.vk.vkBindBufferMemory(device.handle, object.buffer, memory, offset),
                 "vkBindBufferMemory");
}

/// The objects of one allocation and where they lie in it.
struct Chunk {
    std::uint32_t type_bits = 0;
    std::uint64_t size = 0;
    std::vector<std::pair<std::size_t, std::uint64_t>> members;
};

} // namespace

Result<OwnedMemory> allocate_memory(const DeviceImpl& device, std::uint64_t size,
                                    std::uint32_t type_bits, VkMemoryPropertyFlags wanted,
                                    VkMemoryPropertyFlags required) {
    auto type = device.find_memory_type(type_bits, wanted);
    if (!type) type = device.find_memory_type(type_bits, required);
    if (!type)
        return fail("gpu/out-of-memory",
                    fmt::format("no memory type out of {:#x} fits the resource", type_bits));
    VkMemoryAllocateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    info.allocationSize = size;
    info.memoryTypeIndex = *type;
    // What acceleration structures are built from is told by address.
    VkMemoryAllocateFlagsInfo flags{};
    flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
    flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    if (device.caps.acceleration_structures) info.pNext = &flags;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    const VkResult result =
        device.vk.vkAllocateMemory(device.handle, &info, device.allocator, &memory);
    if (result < VK_SUCCESS) {
        Diagnostic diagnostic = vulkan_error(result, "vkAllocateMemory");
        diagnostic.message += fmt::format(" for {} bytes", size);
        return fail(std::move(diagnostic));
    }
    return OwnedMemory(device, memory);
}

VkMemoryRequirements requirements_of(const DeviceImpl& device, const Unplaced& object) {
    VkMemoryRequirements result{};
    if (object.image != VK_NULL_HANDLE)
        device.vk.vkGetImageMemoryRequirements(device.handle, object.image, &result);
    else
        device.vk.vkGetBufferMemoryRequirements(device.handle, object.buffer, &result);
    return result;
}

std::uint64_t safe_alignment(const DeviceImpl& device, std::uint64_t alignment) {
    return std::max<std::uint64_t>({alignment, device.caps.buffer_image_granularity, 1});
}

Result<std::vector<Placement>> place_together(const DeviceImpl& device,
                                              std::span<const Unplaced> objects) {
    std::vector<Placement> placements(objects.size());
    std::vector<Chunk> chunks;
    std::map<std::uint32_t, std::size_t> open; // by type bits
    for (std::size_t i = 0; i < objects.size(); ++i) {
        const VkMemoryRequirements needs = requirements_of(device, objects[i]);
        placements[i].bytes = needs.size;
        const std::uint64_t alignment = safe_alignment(device, needs.alignment);
        const auto found = open.find(needs.memoryTypeBits);
        std::uint64_t offset = 0;
        if (found != open.end()) offset = align_up(chunks[found->second].size, alignment);
        if (found == open.end() || offset + needs.size > kChunkBytes) {
            open[needs.memoryTypeBits] = chunks.size();
            chunks.push_back({.type_bits = needs.memoryTypeBits});
            offset = 0;
        }
        Chunk& chunk = chunks[open[needs.memoryTypeBits]];
        chunk.members.emplace_back(i, offset);
        chunk.size = offset + needs.size;
    }
    for (const Chunk& chunk : chunks) {
        auto memory = allocate_memory(device, chunk.size, chunk.type_bits,
                                      VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
        if (!memory) return propagate(std::move(memory));
        const auto shared = std::make_shared<const OwnedMemory>(std::move(*memory));
        for (const auto& [index, offset] : chunk.members) {
            auto bound = bind(device, objects[index], shared->get(), offset);
            if (!bound) return propagate(std::move(bound));
            placements[index].memory = shared;
        }
    }
    return placements;
}

Result<HostBuffer> create_host_buffer(const DeviceImpl& device, std::uint64_t size,
                                      VkBufferUsageFlags usage, HostUse use, QueueMask shared_by) {
    VkBufferCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    info.size = std::max<std::uint64_t>(size, 16);
    info.usage = usage;
    const SharingFamilies families(device, shared_by);
    families.apply_to(info);
    VkBuffer handle = VK_NULL_HANDLE;
    auto made = check(device.vk.vkCreateBuffer(device.handle, &info, device.allocator, &handle),
                      "vkCreateBuffer");
    if (!made) return propagate(std::move(made));
    HostBuffer result;
    result.buffer = OwnedBuffer(device, handle);

    constexpr VkMemoryPropertyFlags kRequired =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    // Reading uncached memory is slower than reading cached memory by orders of magnitude.
    VkMemoryPropertyFlags wanted = kRequired;
    if (use == HostUse::read) wanted |= VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    if (use == HostUse::write_once) wanted |= VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    const VkMemoryRequirements needs = requirements_of(device, {.buffer = handle});
    auto memory = allocate_memory(device, needs.size, needs.memoryTypeBits, wanted, kRequired);
    if (!memory) return propagate(std::move(memory));
    result.memory = std::move(*memory);
    auto bound = bind(device, {.buffer = handle}, result.memory.get(), 0);
    if (!bound) return propagate(std::move(bound));
    void* mapped = nullptr;
    auto ok = check(
        device.vk.vkMapMemory(device.handle, result.memory.get(), 0, VK_WHOLE_SIZE, 0, &mapped),
        "vkMapMemory");
    if (!ok) return propagate(std::move(ok));
    result.bytes = {static_cast<std::byte*>(mapped), static_cast<std::size_t>(info.size)};
    return result;
}

} // namespace tuff
