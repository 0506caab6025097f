#pragma once

#include "gpu/device/owned.hpp"
#include "gpu/device/queue_sharing.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tuff {

/// Allocates memory of a type out of `type_bits`, with `wanted` properties if such a type exists,
/// else with at least `required` ones. Error: `gpu/out-of-memory`.
Result<OwnedMemory> allocate_memory(const DeviceImpl& device, std::uint64_t size,
                                    std::uint32_t type_bits, VkMemoryPropertyFlags wanted,
                                    VkMemoryPropertyFlags required = 0);

/// An object that waits for memory; one of `image` and `buffer` is set.
struct Unplaced {
    VkImage image = VK_NULL_HANDLE;
    VkBuffer buffer = VK_NULL_HANDLE;
};

struct Placement {
    std::shared_ptr<const OwnedMemory> memory; ///< shared with other objects of the same call
    std::uint64_t bytes = 0;
};

/// Packs the objects into few device-local allocations and binds them. One placement per object.
Result<std::vector<Placement>> place_together(const DeviceImpl& device,
                                              std::span<const Unplaced> objects);

VkMemoryRequirements requirements_of(const DeviceImpl& device, const Unplaced& object);

/// Alignment that also keeps images and buffers of one allocation apart.
std::uint64_t safe_alignment(const DeviceImpl& device, std::uint64_t alignment);

constexpr std::uint64_t align_up(std::uint64_t value, std::uint64_t alignment) {
    return (value + alignment - 1) / alignment * alignment;
}

/// Whether the CPU writes a buffer, writes it once for a device that reads it often, or reads it
/// back.
enum class HostUse : std::uint8_t { write, write_once, read };

/// A coherent buffer in host memory, mapped as long as it lives. Several queues may share it.
struct HostBuffer {
    OwnedMemory memory;
    OwnedBuffer buffer;
    std::span<std::byte> bytes;
};

Result<HostBuffer> create_host_buffer(const DeviceImpl& device, std::uint64_t size,
                                      VkBufferUsageFlags usage, HostUse use,
                                      QueueMask shared_by = 0);

} // namespace tuff
