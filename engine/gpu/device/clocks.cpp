#include "gpu/device/clocks.hpp"

#include "gpu/device/device_impl.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace tuff {
namespace {

/// A reading that an interrupt fell into is far from the truth.
constexpr int kClockReadings = 3;

bool knows_both_clocks(const DeviceImpl& device) {
    PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT domains_of = nullptr;
    for (const char* name : {"vkGetPhysicalDeviceCalibrateableTimeDomainsEXT",
                             "vkGetPhysicalDeviceCalibrateableTimeDomainsKHR"})
        if (!domains_of)
            domains_of = reinterpret_cast<PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT>(
                vkGetInstanceProcAddr(device.instance->handle(), name));
    std::uint32_t count = 0;
    if (!domains_of || domains_of(device.physical, &count, nullptr) != VK_SUCCESS) return false;
    std::vector<VkTimeDomainEXT> domains(count);
    if (domains_of(device.physical, &count, domains.data()) < VK_SUCCESS) return false;
    domains.resize(count);
    const auto has = [&](VkTimeDomainEXT domain) {
        return std::ranges::find(domains, domain) != domains.end();
    };
    return has(VK_TIME_DOMAIN_DEVICE_EXT) && has(VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT);
}

} // namespace

void load_clocks(DeviceImpl& device, const DeviceFacts& facts) {
    const bool later = facts.has(kCalibratedTimestamps);
    if (!later && !facts.has(VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME)) return;
    if (later && !device.vk.vkGetCalibratedTimestampsEXT)
        device.vk.vkGetCalibratedTimestampsEXT = reinterpret_cast<PFN_vkGetCalibratedTimestampsEXT>(
            vkGetDeviceProcAddr(device.handle, "vkGetCalibratedTimestampsKHR"));
    device.tells_clocks = device.vk.vkGetCalibratedTimestampsEXT && knows_both_clocks(device);
}

std::optional<ClockReading> read_clocks(const DeviceImpl& device) {
    if (!device.tells_clocks) return std::nullopt;
    std::array<VkCalibratedTimestampInfoEXT, 2> clocks{};
    for (VkCalibratedTimestampInfoEXT& clock : clocks)
        clock.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT;
    clocks[0].timeDomain = VK_TIME_DOMAIN_DEVICE_EXT;
    clocks[1].timeDomain = VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT;
    std::optional<ClockReading> best;
    for (int i = 0; i < kClockReadings; ++i) {
        std::array<std::uint64_t, 2> times{};
        std::uint64_t deviation = 0;
        if (device.vk.vkGetCalibratedTimestampsEXT(device.handle, 2, clocks.data(), times.data(),
                                                   &deviation) != VK_SUCCESS)
            continue;
        if (!best || deviation < best->deviation)
            best = {times[0], static_cast<std::int64_t>(times[1]), deviation};
    }
    return best;
}

double host_nanoseconds(const ClockReading& reading, std::uint64_t ticks, std::uint32_t valid_bits,
                        double nanoseconds_per_tick) {
    const std::uint32_t unused = 64 - std::clamp(valid_bits, 1u, 64u);
    // The shortest way round, forwards or backwards.
    const auto distance = static_cast<std::int64_t>((ticks - reading.ticks) << unused) >> unused;
    return static_cast<double>(reading.host) + static_cast<double>(distance) * nanoseconds_per_tick;
}

} // namespace tuff
