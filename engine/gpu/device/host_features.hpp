#pragma once

#include "gpu/device/device_facts.hpp"

namespace tuff {

/// Sets `features` to what a device was made with: `chain` is that of its creation, of whichever
/// structures the host has used.
void read_enabled_features(const VkPhysicalDeviceFeatures2& chain, FeatureChain& features);

} // namespace tuff
