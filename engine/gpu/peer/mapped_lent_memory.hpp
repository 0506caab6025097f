#pragma once

#include "gpu/external/external_impl.hpp"
#include "gpu/peer/opaque_memory.hpp"

#include <tuff/communicator.hpp>

namespace tuff {

/// Mapped memory of a software device, which the same device of another process maps, too.
class MappedLentMemory final : public LentMemory {
  public:
    MappedLentMemory(const DeviceImpl& device, VkDeviceMemory memory, std::span<std::byte> bytes,
                     std::uint32_t type);

    std::span<std::byte> bytes() const override { return bytes_; }
    std::uint64_t least_message() const override { return 1024; }
    std::vector<std::byte> description() const override;
    Result<int> descriptor() const override { return export_memory(device_, memory_); }
    Result<std::unique_ptr<Opened>> open(std::span<const std::byte> description,
                                         int descriptor) const override;

  private:
    const DeviceImpl& device_;
    VkDeviceMemory memory_;
    std::span<std::byte> bytes_;
    ExternalMemory info_;
};

} // namespace tuff
