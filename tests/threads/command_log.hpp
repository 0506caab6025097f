#pragma once

#include "gpu/device/device_impl.hpp"

#include <string>
#include <vector>

namespace tuff::testing_gpu {

/// While it lives, the commands of a device are written down, without handles. One at a time.
class CommandLog {
  public:
    explicit CommandLog(DeviceImpl& device);
    ~CommandLog();
    CommandLog(const CommandLog&) = delete;
    CommandLog& operator=(const CommandLog&) = delete;

    /// The commands of every submission so far, in the order in which the device gets them.
    std::vector<std::string> submitted() const;
    /// Command buffers in them.
    std::size_t command_buffers() const;

  private:
    DeviceImpl* device_;
    VolkDeviceTable original_;
};

} // namespace tuff::testing_gpu
