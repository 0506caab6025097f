#pragma once

#include <tuff/device.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tuff::cli {

/// Which device a rank takes, as `DeviceRequest::select` has it. Nothing selected is what TUFF_DEVICE
/// says. Where the selection leaves the choice,
/// as `auto` and `gpu` do, the ranks of a host take the GPUs of the best kind in turn; anything
/// else holds for all of them.
std::string device_of_rank(std::string_view select, const std::vector<DeviceReport>& devices,
                           std::int32_t local_rank);

} // namespace tuff::cli
