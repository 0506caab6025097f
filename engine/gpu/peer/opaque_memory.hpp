#pragma once

#include "gpu/device/owned.hpp"

#include <cstdint>

namespace tuff {

/// Memory that opaque descriptors share. A descriptor that is imported is taken over, also on
/// errors.
Result<OwnedMemory> allocate_exported(const DeviceImpl& device, std::uint64_t bytes,
                                      std::uint32_t type);
Result<int> export_memory(const DeviceImpl& device, VkDeviceMemory memory);
Result<OwnedMemory> import_memory(const DeviceImpl& device, int descriptor, std::uint64_t bytes,
                                  std::uint32_t type);

} // namespace tuff
