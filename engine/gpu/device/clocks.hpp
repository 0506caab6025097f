#pragma once

#include <cstdint>
#include <optional>

namespace tuff {

struct DeviceFacts;
struct DeviceImpl;

/// The extension under its later name, which older headers lack.
inline constexpr const char* kCalibratedTimestamps = "VK_KHR_calibrated_timestamps";

/// The device's clock and the host's, read at once.
struct ClockReading {
    std::uint64_t ticks = 0;     ///< of the device
    std::int64_t host = 0;       ///< nanoseconds, as `host_time`
    std::uint64_t deviation = 0; ///< nanoseconds that lie between the two readings at most
};

/// Finds out whether the device reads both clocks (`DeviceImpl::tells_clocks`). `facts` has the
/// extensions that the device was made with.
void load_clocks(DeviceImpl& device, const DeviceFacts& facts);

/// The best of a few readings; nothing where the device reads no clocks.
std::optional<ClockReading> read_clocks(const DeviceImpl& device);

/// Nanoseconds of the host's clock at which the device's showed `ticks`, of which the lowest
/// `valid_bits` count.
double host_nanoseconds(const ClockReading& reading, std::uint64_t ticks, std::uint32_t valid_bits,
                        double nanoseconds_per_tick);

} // namespace tuff
