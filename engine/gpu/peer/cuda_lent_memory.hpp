#pragma once

#include "gpu/device/device_impl.hpp"
#include "gpu/peer/cuda_device.hpp"

#include <tuff/communicator.hpp>

#include <cstdlib>

namespace tuff {

/// Memory of an NVIDIA GPU, which the host cannot touch. Messages are copied to a window of CUDA's,
/// from which the other GPU copies them: over NVLink, where there is one. Memory that Vulkan has
/// allocated cannot be a window itself.
class CudaLentMemory final : public LentMemory {
  public:
    /// Error where CUDA does not see the GPU or cannot open the memory.
    static Result<std::shared_ptr<LentMemory>> create(const DeviceImpl& device,
                                                      VkDeviceMemory memory, std::uint64_t size);
    ~CudaLentMemory() override;

    std::span<std::byte> bytes() const override { return addresses_; }
    bool host_accessible() const override { return false; }
    std::uint64_t least_message() const override { return kLeastLent; }
    std::vector<std::byte> description() const override;
    Result<int> descriptor() const override { return -1; }
    Result<std::unique_ptr<Opened>> open(std::span<const std::byte> description,
                                         int descriptor) const override;
    Result<void> prepare(std::uint64_t offset, std::uint64_t size) override;
    Result<void> read(std::uint64_t offset, std::span<std::byte> into) const override;
    Result<void> write(std::uint64_t offset, std::span<const std::byte> from) const override;

  private:
    CudaLentMemory(const cuda::Device& device, std::span<std::byte> addresses)
        : device_(device), addresses_(addresses) {}

    const cuda::Device& device_;
    std::span<std::byte> addresses_; ///< reserved, with nothing behind them
    std::unique_ptr<cuda::Memory> own_;
    std::unique_ptr<cuda::Memory> window_;
    cuda::WindowHandle handle_{};
};

} // namespace tuff
