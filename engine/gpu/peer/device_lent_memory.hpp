#pragma once

#include "gpu/external/external_impl.hpp"

#include <tuff/communicator.hpp>

namespace tuff {

/// Mapped memory of a device as other processes open it: by an opaque descriptor.
class DeviceLentMemory : public LentMemory {
  public:
    DeviceLentMemory(const DeviceImpl& device, VkDeviceMemory memory, std::span<std::byte> bytes,
                     std::uint32_t type);

    std::span<std::byte> bytes() const override { return bytes_; }
    std::vector<std::byte> description() const override;
    Result<int> descriptor() const override;

  protected:
    const DeviceImpl& device() const { return device_; }
    const ExternalMemory& info() const { return info_; }
    /// Of another process.
    static Result<ExternalMemory> read(std::span<const std::byte> description);

  private:
    const DeviceImpl& device_;
    VkDeviceMemory memory_;
    std::span<std::byte> bytes_;
    ExternalMemory info_;
};

/// Opened by the same software device, and copied by the CPU.
class MappedLentMemory final : public DeviceLentMemory {
  public:
    using DeviceLentMemory::DeviceLentMemory;
    std::uint64_t least_message() const override { return 1024; }
    Result<std::unique_ptr<Opened>> open(std::span<const std::byte> description,
                                         int descriptor) const override;
};

} // namespace tuff
