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

using Uuid = std::array<std::uint8_t, 16>;      ///< VkPhysicalDeviceIDProperties::deviceUUID
using Address = std::uint64_t;                  ///< CUdeviceptr
using WindowHandle = std::array<std::byte, 64>; ///< CUipcMemHandle

class Device;

/// Memory that a device sees, until this ends.
class Memory {
  public:
    ~Memory();
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    Address address() const { return address_; }

  private:
    friend class Device;
    enum class Kind : std::uint8_t { imported, window, opened };
    Memory(const Device& device, Kind kind) : device_(device), kind_(kind) {}

    const Device& device_;
    Kind kind_;
    Address address_ = 0;
    void* external_ = nullptr; ///< CUexternalMemory
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
    Device(const Functions& functions, Context* context, Stream* stream)
        : functions_(functions), context_(context), stream_(stream) {}

    /// What Vulkan has allocated; takes its opaque descriptor over.
    Result<std::unique_ptr<Memory>> import(int descriptor, std::uint64_t bytes) const;
    /// Memory that other processes open, on GPUs that reach this one.
    Result<std::unique_ptr<Memory>> make_window(std::uint64_t bytes) const;
    Result<WindowHandle> handle_of(const Memory& window) const;
    Result<std::unique_ptr<Memory>> open_window(const WindowHandle& handle) const;

    // These return when the bytes are there.

    Result<void> copy(Address to, Address from, std::uint64_t bytes) const;
    Result<void> read(std::span<std::byte> to, Address from) const;
    Result<void> write(Address to, std::span<const std::byte> from) const;

  private:
    friend class Memory;
    class Current;
    Result<void> finish(int code, const char* call) const;

    const Functions& functions_;
    Context* context_;
    Stream* stream_;
};

} // namespace tuff::cuda
