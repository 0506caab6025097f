#pragma once

#include "gpu/device/device_impl.hpp"
#include "gpu/peer/cuda_device.hpp"

#include <tuff/communicator.hpp>

namespace tuff {

/// Memory of an NVIDIA GPU, which the host cannot touch. CUDA allocates it, for what Vulkan
/// allocates is out of reach of other GPUs; Vulkan imports it. Copies go from GPU to GPU, over
/// NVLink where there is one.
class CudaLentMemory final : public LentMemory {
  public:
    /// At least `size` bytes. Error where CUDA does not see the GPU.
    static Result<std::shared_ptr<LentMemory>> create(const DeviceImpl& device, std::uint64_t size);

    std::span<std::byte> bytes() const override;
    bool host_accessible() const override { return false; }
    std::uint64_t least_message() const override { return kLeastLent; }
    std::vector<std::byte> description() const override;
    Result<int> descriptor() const override { return device_.descriptor_of(*memory_); }
    Result<std::unique_ptr<Opened>> open(std::span<const std::byte> description,
                                         int descriptor) const override;
    Result<void> read(std::uint64_t offset, std::span<std::byte> into) const override;
    Result<void> write(std::uint64_t offset, std::span<const std::byte> from) const override;

  private:
    CudaLentMemory(const cuda::Device& device, std::unique_ptr<cuda::Memory> memory)
        : device_(device), memory_(std::move(memory)) {}

    const cuda::Device& device_;
    std::unique_ptr<cuda::Memory> memory_;
};

} // namespace tuff
