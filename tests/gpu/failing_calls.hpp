#pragma once

#include "gpu/device/device_impl.hpp"

#include <cstdint>
#include <string>

namespace tuff::testing_gpu {

/// What a call reports instead of doing what it is for.
enum class Fault {
    out_of_memory, ///< one call, of those that Vulkan lets run out of the device's or host's memory
    device_lost,   ///< that call and all later ones, of those that Vulkan lets find out
};

/// While it lives, one of the calls through a device's table fails. One at a time.
class FailingCalls {
  public:
    /// The call numbered `nth`, from 1, of those from now on that may report `fault`; 0: none.
    FailingCalls(DeviceImpl& device, Fault fault, std::uint64_t nth);
    ~FailingCalls();
    FailingCalls(const FailingCalls&) = delete;
    FailingCalls& operator=(const FailingCalls&) = delete;

    /// Calls so far that might have reported it.
    std::uint64_t calls() const;
    /// The function whose call has failed first; empty: none has.
    std::string failed() const;

  private:
    DeviceImpl* device_;
    VolkDeviceTable original_;
};

} // namespace tuff::testing_gpu
