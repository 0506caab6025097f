#include "gpu/peer/opaque_memory.hpp"

#include "gpu/external/external_impl.hpp"

namespace tuff {
namespace {

Result<OwnedMemory> allocate(const DeviceImpl& device, std::uint64_t bytes, std::uint32_t type,
                             const void* chain) {
    VkMemoryAllocateFlagsInfo flags{}; // as of the engine's other memory
    flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
    flags.pNext = chain;
    flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    VkMemoryAllocateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    info.pNext = device.caps.acceleration_structures ? &flags : chain;
    info.allocationSize = bytes;
    info.memoryTypeIndex = type;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    auto ok = check(device.vk.vkAllocateMemory(device.handle, &info, device.allocator, &memory),
                    "vkAllocateMemory");
    if (!ok) return propagate(std::move(ok));
    return OwnedMemory(device, memory);
}

} // namespace

Result<OwnedMemory> allocate_exported(const DeviceImpl& device, std::uint64_t bytes,
                                      std::uint32_t type) {
    VkExportMemoryAllocateInfo exported{};
    exported.sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO;
    exported.handleTypes = kMemoryHandle;
    return allocate(device, bytes, type, &exported);
}

Result<int> export_memory(const DeviceImpl& device, VkDeviceMemory memory) {
    VkMemoryGetFdInfoKHR query{};
    query.sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR;
    query.memory = memory;
    query.handleType = kMemoryHandle;
    int number = -1;
    auto ok = check(device.vk.vkGetMemoryFdKHR(device.handle, &query, &number), "vkGetMemoryFdKHR");
    if (!ok) return propagate(std::move(ok));
    return number;
}

Result<OwnedMemory> import_memory(const DeviceImpl& device, int descriptor, std::uint64_t bytes,
                                  std::uint32_t type) {
    FileDescriptor file(descriptor);
    VkImportMemoryFdInfoKHR imported{};
    imported.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR;
    imported.handleType = kMemoryHandle;
    imported.fd = file.get();
    HandedOver handed(file);
    auto memory = allocate(device, bytes, type, &imported);
    handed.settle(memory.has_value());
    return memory;
}

Result<std::span<std::byte>> map_memory(const DeviceImpl& device, VkDeviceMemory memory,
                                        std::uint64_t bytes) {
    void* mapped = nullptr;
    auto ok = check(device.vk.vkMapMemory(device.handle, memory, 0, VK_WHOLE_SIZE, 0, &mapped),
                    "vkMapMemory");
    if (!ok) return propagate(std::move(ok));
    return std::span(static_cast<std::byte*>(mapped), static_cast<std::size_t>(bytes));
}

} // namespace tuff
