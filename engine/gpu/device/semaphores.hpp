#pragma once

#include "gpu/device/owned.hpp"

namespace tuff {

/// A timeline semaphore that counts from 0.
Result<OwnedSemaphore> create_timeline_semaphore(const DeviceImpl& device);

} // namespace tuff
