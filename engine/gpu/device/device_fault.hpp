#pragma once

#include <string>

namespace tuff {

struct DeviceImpl;

/// What the driver of a lost device says of its end (VK_EXT_device_fault): a description, addresses
/// that were used wrongly, and the vendor's own words. Empty where it says nothing.
std::string fault_text(const DeviceImpl& device);

} // namespace tuff
