#pragma once

#include <tuff/diagnostic.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>

/// What Tuff asks of CUDA's driver, where there is one: copies between GPUs, for which Vulkan has
/// no way from process to process.
namespace tuff::cuda {

using Uuid = std::array<std::uint8_t, 16>; ///< as VkPhysicalDeviceIDProperties::deviceUUID

struct Functions;
struct Context; ///< CUcontext
struct Stream;  ///< CUstream

class Driver;

/// Memory of a GPU that Vulkan has allocated, as CUDA sees it.
class Memory {
  public:
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    ~Memory();

  private:
    friend class Driver;
    explicit Memory(const Functions& functions) : functions_(functions) {}

    const Functions& functions_;
    Context* context_ = nullptr;
    void* external_ = nullptr;
    std::uint64_t address_ = 0;
    Stream* stream_ = nullptr; ///< for copies into it
};

class Driver {
  public:
    /// The one of this process; null where there is none. It is never closed.
    static Driver* find();
    explicit Driver(std::unique_ptr<Functions> functions);
    ~Driver();

    /// Takes the opaque descriptor over. Error: `gpu/external-mismatch`.
    Result<std::unique_ptr<Memory>> open(const Uuid& device, int descriptor, std::uint64_t bytes);

    struct Place {
        const Memory& memory;
        std::uint64_t offset = 0;
    };
    /// Returns when the bytes are there. Error: `gpu/external-mismatch`.
    Result<void> copy(const Place& from, const Place& to, std::uint64_t bytes) const;

  private:
    Result<Context*> context_of(const Uuid& device);

    std::unique_ptr<Functions> functions_;
    std::mutex mutex_;
    std::map<Uuid, Context*> contexts_;
};

} // namespace tuff::cuda
