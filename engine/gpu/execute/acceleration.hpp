#pragma once

#include "gpu/device/owned.hpp"
#include "gpu/device/vulkan.hpp"

#include <tuff/device_caps.hpp>

#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace tuff {

/// What the device says about the room that builds take. It must be able to build.
std::shared_ptr<const AccelerationSizes> acceleration_sizes(const DeviceImpl& device);

/// Where the memory of a buffer is for the device. The buffer must be made for it.
VkDeviceAddress address_of(const DeviceImpl& device, VkBuffer buffer);

/// What a build of one geometry takes; the geometry lies beside it, for Vulkan wants its address.
/// Not to be moved once `info` is looked at.
struct AccelerationBuild {
    VkAccelerationStructureGeometryKHR geometry{};
    VkAccelerationStructureBuildGeometryInfoKHR info{};

    AccelerationBuild() = default;
    AccelerationBuild(const AccelerationBuild&) = delete;
    AccelerationBuild& operator=(const AccelerationBuild&) = delete;

    /// Over triangles: `indices` 0 where every three vertices are one.
    void set_triangles(VkDeviceAddress positions, std::uint32_t vertices, VkDeviceAddress indices);
    /// Over instances.
    void set_instances(VkDeviceAddress instances);
    /// For up to so many triangles or instances.
    VkAccelerationStructureBuildSizesInfoKHR sizes(const DeviceImpl& device,
                                                   std::uint32_t count) const;
};

/// Acceleration structures by the buffer that they fill, each made once. Several threads may ask.
class AccelerationCache {
  public:
    Result<VkAccelerationStructureKHR> get(const DeviceImpl& device, VkBuffer buffer,
                                           std::uint64_t bytes,
                                           VkAccelerationStructureTypeKHR type);

  private:
    std::mutex mutex_;
    std::map<std::pair<VkBuffer, VkAccelerationStructureTypeKHR>, OwnedAcceleration> made_;
};

} // namespace tuff
