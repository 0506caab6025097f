#pragma once

#include "gpu/device/device_impl.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace tuff::testing_gpu {

/// Counts what is made on a device from now on, until the device ends, and what is left of it. One
/// at a time; the ledger outlives the device.
class ObjectLedger {
  public:
    explicit ObjectLedger(DeviceImpl& device);
    ObjectLedger(const ObjectLedger&) = delete;
    ObjectLedger& operator=(const ObjectLedger&) = delete;

    /// Objects ever made.
    std::uint64_t made() const;
    /// Those that have not ended, by kind; kinds without any are left out.
    std::map<std::string, std::int64_t> left() const;
    /// Of memory that has not been given back.
    std::int64_t device_bytes() const;
    /// Calls that gave another allocator than the device's.
    std::uint64_t strangers() const;
};

} // namespace tuff::testing_gpu
