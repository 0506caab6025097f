#include "gpu/peer/cuda_lent_memory.hpp"

#include "gpu/external/external_impl.hpp"
#include "gpu/peer/mapped_lent_memory.hpp"

#include <sys/mman.h>

#include <cstring>

namespace tuff {
namespace {

class CudaBytes final : public LentMemory::Opened {
  public:
    CudaBytes(const cuda::Device& device, std::unique_ptr<cuda::Memory> window, cuda::Address own,
              std::span<std::byte> addresses)
        : device_(device), window_(std::move(window)), own_(own), addresses_(addresses) {}

    Result<void> copy(std::uint64_t offset, std::span<std::byte> into) override {
        const auto place = static_cast<std::uint64_t>(into.data() - addresses_.data());
        return device_.copy(own_ + place, window_->address() + offset, into.size());
    }

  private:
    const cuda::Device& device_;
    std::unique_ptr<cuda::Memory> window_;
    cuda::Address own_;
    std::span<std::byte> addresses_; ///< of `own_`
};

} // namespace

Result<std::shared_ptr<LentMemory>>
CudaLentMemory::create(const DeviceImpl& device, VkDeviceMemory memory, std::uint64_t size) {
    const cuda::Device* const found = cuda::Device::find(identity_of(device.physical).device);
    if (!found) return fail("gpu/no-external-memory", "CUDA does not see the GPU");
    void* const reserved =
        mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reserved == MAP_FAILED) return fail("gpu/out-of-memory", "no addresses are left");
    std::shared_ptr<CudaLentMemory> made(new CudaLentMemory(
        *found, {static_cast<std::byte*>(reserved), static_cast<std::size_t>(size)}));
    const auto descriptor = export_memory(device, memory);
    if (!descriptor) return std::unexpected(descriptor.error());
    auto own = found->import(*descriptor, size);
    if (!own) return propagate(std::move(own));
    made->own_ = std::move(*own);
    auto window = found->make_window(size);
    if (!window) return propagate(std::move(window));
    made->window_ = std::move(*window);
    const auto handle = found->handle_of(*made->window_);
    if (!handle) return std::unexpected(handle.error());
    made->handle_ = *handle;
    return made;
}

CudaLentMemory::~CudaLentMemory() {
    munmap(addresses_.data(), addresses_.size());
}

std::vector<std::byte> CudaLentMemory::description() const {
    return {handle_.begin(), handle_.end()};
}

Result<std::unique_ptr<LentMemory::Opened>>
CudaLentMemory::open(std::span<const std::byte> description, int) const {
    cuda::WindowHandle handle{};
    if (description.size() != handle.size())
        return fail("gpu/external-mismatch", "the other rank does not lend by CUDA");
    std::memcpy(handle.data(), description.data(), handle.size());
    auto window = device_.open_window(handle);
    if (!window) return propagate(std::move(window));
    return std::make_unique<CudaBytes>(device_, std::move(*window), own_->address(), addresses_);
}

Result<void> CudaLentMemory::prepare(std::uint64_t offset, std::uint64_t size) {
    return device_.copy(window_->address() + offset, own_->address() + offset, size);
}

Result<void> CudaLentMemory::read(std::uint64_t offset, std::span<std::byte> into) const {
    return device_.read(into, own_->address() + offset);
}

Result<void> CudaLentMemory::write(std::uint64_t offset, std::span<const std::byte> from) const {
    return device_.write(own_->address() + offset, from);
}

} // namespace tuff
