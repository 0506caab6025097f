#include "gpu/peer/cuda_lent_memory.hpp"

#include "gpu/external/external_impl.hpp"

#include <cstring>

namespace tuff {
namespace {

class CudaBytes final : public LentMemory::Opened {
  public:
    CudaBytes(const cuda::Device& device, std::unique_ptr<cuda::Memory> memory)
        : device_(device), memory_(std::move(memory)) {}

    Result<void> copy(std::uint64_t offset, std::span<std::byte> into) override {
        return device_.copy(reinterpret_cast<cuda::Address>(into.data()),
                            memory_->address() + offset, into.size());
    }

  private:
    const cuda::Device& device_;
    std::unique_ptr<cuda::Memory> memory_;
};

} // namespace

Result<std::shared_ptr<LentMemory>> CudaLentMemory::create(const DeviceImpl& device,
                                                           std::uint64_t size) {
    const cuda::Device* const found = cuda::Device::find(identity_of(device.physical).device);
    if (!found) return fail("gpu/no-external-memory", "CUDA does not see the GPU");
    auto memory = found->allocate(size);
    if (!memory) return propagate(std::move(memory));
    return std::shared_ptr<LentMemory>(new CudaLentMemory(*found, std::move(*memory)));
}

// CUDA's addresses are none of the host's: nothing else is at them.
std::span<std::byte> CudaLentMemory::bytes() const {
    return {reinterpret_cast<std::byte*>(memory_->address()),
            static_cast<std::size_t>(memory_->size())};
}

std::vector<std::byte> CudaLentMemory::description() const {
    const std::uint64_t size = memory_->size();
    const auto bytes = std::as_bytes(std::span(&size, 1));
    return {bytes.begin(), bytes.end()};
}

Result<std::unique_ptr<LentMemory::Opened>>
CudaLentMemory::open(std::span<const std::byte> description, int descriptor) const {
    std::uint64_t size = 0;
    if (description.size() == sizeof(size)) std::memcpy(&size, description.data(), sizeof(size));
    auto memory = device_.open(descriptor, size);
    if (!memory) return propagate(std::move(memory));
    return std::make_unique<CudaBytes>(device_, std::move(*memory));
}

Result<void> CudaLentMemory::read(std::uint64_t offset, std::span<std::byte> into) const {
    return device_.read(into, memory_->address() + offset);
}

Result<void> CudaLentMemory::write(std::uint64_t offset, std::span<const std::byte> from) const {
    return device_.write(memory_->address() + offset, from);
}

} // namespace tuff
