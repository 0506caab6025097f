#pragma once

#include "gpu/device/vulkan.hpp"

#include <cstdint>

namespace tuff::cli {

/// What was recorded since `begin_counting`, by all threads.
struct CommandCounts {
    std::uint32_t buffers = 0;  ///< command buffers begun
    std::uint32_t commands = 0; ///< all of those below, barriers too
    std::uint32_t barriers = 0;
};

/// Makes a device count the commands that Tuff records for kernels, until `end_counting`, which
/// gives back what `device` was at first. One device at a time.
void begin_counting(VolkDeviceTable& device);
CommandCounts end_counting(VolkDeviceTable& device);

} // namespace tuff::cli
