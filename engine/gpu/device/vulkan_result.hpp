#pragma once

#include "gpu/device/vulkan.hpp"

#include <tuff/diagnostic.hpp>

#include <string_view>

namespace tuff {

/// "VK_ERROR_DEVICE_LOST", or the number where the code is not a known one.
std::string result_name(VkResult result);

/// The diagnostic of a failed call. `call` is the Vulkan function's name. Codes: `gpu/device-lost`,
/// `gpu/out-of-memory` (host or device), `gpu/call-failed`.
Diagnostic vulkan_error(VkResult result, std::string_view call);

/// Success for VK_SUCCESS and the other non-negative codes, else the diagnostic of `vulkan_error`.
Result<void> check(VkResult result, std::string_view call);

} // namespace tuff
