#include "gpu/peer/cuda_lent_memory.hpp"

#include <unistd.h>

namespace tuff {
namespace {

class CudaBytes final : public LentMemory::Opened {
  public:
    CudaBytes(cuda::Driver& driver, std::unique_ptr<cuda::Memory> memory, const cuda::Memory& own,
              std::span<std::byte> own_bytes)
        : driver_(driver), memory_(std::move(memory)), own_(own), own_bytes_(own_bytes) {}

    Result<void> copy(std::uint64_t offset, std::span<std::byte> into) override {
        const auto place = static_cast<std::uint64_t>(into.data() - own_bytes_.data());
        return driver_.copy({*memory_, offset}, {own_, place}, into.size());
    }

  private:
    cuda::Driver& driver_;
    std::unique_ptr<cuda::Memory> memory_;
    const cuda::Memory& own_;
    std::span<std::byte> own_bytes_;
};

} // namespace

Result<std::shared_ptr<LentMemory>> CudaLentMemory::create(const DeviceImpl& device,
                                                           VkDeviceMemory memory,
                                                           std::span<std::byte> bytes,
                                                           std::uint32_t type) {
    cuda::Driver* const driver = cuda::Driver::find();
    if (!driver) return fail("gpu/no-external-memory", "there is no CUDA", "send through MPI");
    std::shared_ptr<CudaLentMemory> made(new CudaLentMemory(device, memory, bytes, type, *driver));
    auto descriptor = made->descriptor();
    if (!descriptor) return propagate(std::move(descriptor));
    auto own = driver->open(made->info().identity.device, *descriptor, bytes.size());
    if (!own) return propagate(std::move(own));
    made->own_ = std::move(*own);
    return made;
}

Result<std::unique_ptr<LentMemory::Opened>>
CudaLentMemory::open(std::span<const std::byte> description, int descriptor) const {
    const auto other = read(description);
    if (!other) {
        close(descriptor);
        return std::unexpected(other.error());
    }
    auto memory = driver_.open(other->identity.device, descriptor, other->bytes);
    if (!memory) return propagate(std::move(memory));
    return std::make_unique<CudaBytes>(driver_, std::move(*memory), *own_, bytes());
}

} // namespace tuff
