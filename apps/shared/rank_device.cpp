#include "apps/shared/rank_device.hpp"

namespace tuff::cli {

std::string device_of_rank(std::string_view select, const std::vector<DeviceReport>& devices,
                           std::int32_t local_rank) {
    const std::string wanted = select.empty() ? default_device_selection() : std::string(select);
    if (wanted != "auto" && wanted != "gpu") return wanted;
    for (const DeviceType kind : {DeviceType::discrete, DeviceType::integrated,
                                  DeviceType::virtual_gpu, DeviceType::other}) {
        std::vector<std::uint32_t> of_kind;
        for (const DeviceReport& device : devices)
            if (device.caps.type == kind && device.tier != DeviceTier::none)
                of_kind.push_back(device.index);
        if (!of_kind.empty())
            return std::to_string(of_kind[static_cast<std::size_t>(local_rank) % of_kind.size()]);
    }
    return wanted;
}

} // namespace tuff::cli
