#pragma once

#include "gpu/device/device_impl.hpp"
#include "tests/steady/allocations.hpp"

#include <cstdint>

namespace tuff::testing_steady {

/// What was done between two moments.
struct Counts {
    std::uint64_t allocations = 0;        ///< by the engine, on this thread
    std::uint64_t driver_allocations = 0; ///< by drivers in C++, during the calls counted below
    std::uint64_t submissions = 0;
    std::uint64_t command_buffers = 0; ///< submitted
    std::uint64_t recordings = 0;      ///< command buffers begun
    std::uint64_t commands = 0;        ///< recorded: every vkCmd function that the engine calls
    std::uint64_t descriptor_writes = 0;
    std::uint64_t objects = 0; ///< buffers, images, views, memory, descriptor pools and sets made
};

/// While it lives, the calls of a device are counted. One at a time.
class CountedCalls {
  public:
    explicit CountedCalls(DeviceImpl& device);
    ~CountedCalls();
    CountedCalls(const CountedCalls&) = delete;
    CountedCalls& operator=(const CountedCalls&) = delete;

    Counts counts() const;

  private:
    DeviceImpl* device_;
    VolkDeviceTable original_;
    std::uint64_t allocations_at_start_;
};

} // namespace tuff::testing_steady
