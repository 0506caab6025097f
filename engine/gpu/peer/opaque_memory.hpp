#pragma once

#include "gpu/device/owned.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace tuff {

/// Memory that opaque descriptors share. A descriptor that is imported is taken over, also on
/// errors.
Result<OwnedMemory> allocate_exported(const DeviceImpl& device, std::uint64_t bytes,
                                      std::uint32_t type);
Result<int> export_memory(const DeviceImpl& device, VkDeviceMemory memory);
Result<OwnedMemory> import_memory(const DeviceImpl& device, int descriptor, std::uint64_t bytes,
                                  std::uint32_t type);
/// All of it, until it is freed.
Result<std::span<std::byte>> map_memory(const DeviceImpl& device, VkDeviceMemory memory,
                                        std::uint64_t bytes);

} // namespace tuff
