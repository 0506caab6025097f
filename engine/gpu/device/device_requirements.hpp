#pragma once

#include "gpu/device/device_facts.hpp"

#include <tuff/device.hpp>
#include <tuff/diagnostic.hpp>

#include <vector>

namespace tuff {

/// Tests a device against the table of features and limits in device_requirements.cpp.
DeviceReport report(const DeviceFacts& facts, std::uint32_t index);

/// One `device/missing-feature` diagnostic for each thing of the core tier that the device lacks.
Diagnostics missing_features(const DeviceReport& report);

/// Turns off the features whose extension the device is without.
void drop_without_extension(DeviceFacts& facts);

/// Turns on in `wanted` every feature of the table that the device has. `wanted` must be unlinked
/// or linked, but otherwise zero. Returns the extensions that these features need,
/// and others that the engine has a use for.
std::vector<const char*> enable_features(const DeviceFacts& facts, FeatureChain& wanted);

} // namespace tuff
