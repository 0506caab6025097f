#pragma once

#include <tuff/diagnostic.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

/// What Tuff asks of CUDA's driver, where there is one: copies between GPUs, for which Vulkan has
/// no way from process to process.
namespace tuff::cuda {

using Uuid = std::array<std::uint8_t, 16>; ///< VkPhysicalDeviceIDProperties::deviceUUID
using Address = std::uint64_t;             ///< CUdeviceptr

class Device;

/// Memory of this device or another one that this device reads and writes, until this ends.
class Memory {
  public:
    ~Memory();
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    Address address() const { return address_; }
    std::uint64_t size() const { return size_; }

  private:
    friend class Device;
    Memory(const Device& device, std::uint64_t size) : device_(device), size_(size) {}

    const Device& device_;
    std::uint64_t size_;
    std::uint64_t handle_ = 0; ///< CUmemGenericAllocationHandle
    Address address_ = 0;
    bool is_mapped_ = false;
};

struct Functions;
struct Context; ///< CUcontext
struct Stream;  ///< CUstream

/// A GPU as CUDA has it, by its primary context, which stays until the process ends. Errors of all
/// calls: `gpu/external-mismatch`.
class Device {
  public:
    /// Null where there is no CUDA, or it does not see that GPU.
    static Device* find(const Uuid& uuid);
    Device(const Functions& functions, int number, Context* context, Stream* stream)
        : functions_(functions), number_(number), context_(context), stream_(stream) {}

    /// Memory of this device, of at least so many bytes.
    Result<std::unique_ptr<Memory>> allocate(std::uint64_t bytes) const;
    /// For another process, or for Vulkan as an opaque one; a new one with each call.
    Result<int> descriptor_of(const Memory& memory) const;
    /// Memory of another process, of `size()` bytes there. Takes the descriptor over.
    Result<std::unique_ptr<Memory>> open(int descriptor, std::uint64_t size) const;

    // These return when the bytes are there.

    Result<void> copy(Address to, Address from, std::uint64_t bytes) const;
    Result<void> read(std::span<std::byte> to, Address from) const;
    Result<void> write(Address to, std::span<const std::byte> from) const;

  private:
    friend class Memory;
    class Current;
    Result<void> finish(int code, const char* call) const;
    Result<void> map(Memory& memory) const;

    const Functions& functions_;
    int number_; ///< CUdevice
    Context* context_;
    Stream* stream_;
};

} // namespace tuff::cuda
