#pragma once

#include "gpu/peer/cuda_driver.hpp"
#include "gpu/peer/device_lent_memory.hpp"

namespace tuff {

/// Memory of an NVIDIA GPU, which CUDA copies into that of another one, or of the same.
class CudaLentMemory final : public DeviceLentMemory {
  public:
    /// Error where CUDA cannot open the device's memory, or there is no CUDA.
    static Result<std::shared_ptr<LentMemory>> create(const DeviceImpl& device,
                                                      VkDeviceMemory memory,
                                                      std::span<std::byte> bytes,
                                                      std::uint32_t type);

    std::uint64_t least_message() const override { return 512; }
    Result<std::unique_ptr<Opened>> open(std::span<const std::byte> description,
                                         int descriptor) const override;

  private:
    CudaLentMemory(const DeviceImpl& device, VkDeviceMemory memory, std::span<std::byte> bytes,
                   std::uint32_t type, cuda::Driver& driver)
        : DeviceLentMemory(device, memory, bytes, type), driver_(driver) {}

    cuda::Driver& driver_;
    std::unique_ptr<cuda::Memory> own_;
};

} // namespace tuff
