#pragma once

#include "gpu/device/owned.hpp"
#include "gpu/memory/memory.hpp"

#include <span>

namespace tuff {

/// The shader binding table of a ray-tracing pipeline: a record each for ray generation, for rays
/// that hit nothing and for those that hit a triangle.
struct RayTable {
    HostBuffer records;
    VkStridedDeviceAddressRegionKHR generation{};
    VkStridedDeviceAddressRegionKHR miss{};
    VkStridedDeviceAddressRegionKHR hit{};
};

/// Creates the pipeline of a ray node from its shader stages, whose rays send no others.
Result<VkPipeline> create_ray_pipeline(const DeviceImpl& device,
                                       std::span<const VkPipelineShaderStageCreateInfo> stages,
                                       VkPipelineLayout layout);

/// The table of what `create_ray_pipeline` made.
Result<RayTable> create_ray_table(const DeviceImpl& device, VkPipeline pipeline);

} // namespace tuff
