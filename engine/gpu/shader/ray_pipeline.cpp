#include "gpu/shader/ray_pipeline.hpp"

#include "gpu/execute/acceleration.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace tuff {
namespace {

/// The groups of a pipeline, in the order of their records.
enum Group : std::uint32_t { kGeneration, kMiss, kHit, kGroups };

using Groups = std::array<VkRayTracingShaderGroupCreateInfoKHR, kGroups>;

Groups groups_of(std::span<const VkPipelineShaderStageCreateInfo> stages) {
    const auto place = [&](VkShaderStageFlagBits stage) {
        const auto found =
            std::ranges::find(stages, stage, &VkPipelineShaderStageCreateInfo::stage);
        return found == stages.end() ? VK_SHADER_UNUSED_KHR
                                     : static_cast<std::uint32_t>(found - stages.begin());
    };
    Groups groups{};
    for (VkRayTracingShaderGroupCreateInfoKHR& group : groups) {
        group.sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR;
        group.type = VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR;
        group.generalShader = group.closestHitShader = group.anyHitShader =
            group.intersectionShader = VK_SHADER_UNUSED_KHR;
    }
    groups[kGeneration].generalShader = place(VK_SHADER_STAGE_RAYGEN_BIT_KHR);
    groups[kMiss].generalShader = place(VK_SHADER_STAGE_MISS_BIT_KHR);
    groups[kHit].type = VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR;
    groups[kHit].closestHitShader = place(VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR);
    groups[kHit].anyHitShader = place(VK_SHADER_STAGE_ANY_HIT_BIT_KHR);
    return groups;
}

VkPhysicalDeviceRayTracingPipelinePropertiesKHR properties_of(const DeviceImpl& device) {
    VkPhysicalDeviceRayTracingPipelinePropertiesKHR properties{};
    properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_PROPERTIES_KHR;
    VkPhysicalDeviceProperties2 all{};
    all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    all.pNext = &properties;
    vkGetPhysicalDeviceProperties2(device.physical, &all);
    return properties;
}

} // namespace

Result<VkPipeline> create_ray_pipeline(const DeviceImpl& device,
                                       std::span<const VkPipelineShaderStageCreateInfo> stages,
                                       VkPipelineLayout layout) {
    const Groups groups = groups_of(stages);
    VkRayTracingPipelineCreateInfoKHR info{};
    info.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR;
    info.stageCount = static_cast<std::uint32_t>(stages.size());
    info.pStages = stages.data();
    info.groupCount = kGroups;
    info.pGroups = groups.data();
    info.maxPipelineRayRecursionDepth = 1;
    info.layout = layout;
    VkPipeline pipeline = VK_NULL_HANDLE;
    auto ok = check(device.vk.vkCreateRayTracingPipelinesKHR(device.handle, VK_NULL_HANDLE,
                                                             device.pipeline_cache, 1, &info,
                                                             device.allocator, &pipeline),
                    "vkCreateRayTracingPipelinesKHR");
    if (!ok) return propagate(std::move(ok));
    return pipeline;
}

Result<RayTable> create_ray_table(const DeviceImpl& device, VkPipeline pipeline) {
    const auto properties = properties_of(device);
    const std::size_t handle_bytes = properties.shaderGroupHandleSize;
    // Each record begins a region of its own.
    const std::uint64_t alignment = properties.shaderGroupBaseAlignment;
    const std::uint64_t record = align_up(handle_bytes, alignment);
    std::vector<std::byte> handles(handle_bytes * kGroups);
    auto ok = check(device.vk.vkGetRayTracingShaderGroupHandlesKHR(
                        device.handle, pipeline, 0, kGroups, handles.size(), handles.data()),
                    "vkGetRayTracingShaderGroupHandlesKHR");
    if (!ok) return propagate(std::move(ok));
    // A buffer need not begin at a multiple of what regions begin at.
    auto records = create_host_buffer(device, record * kGroups + alignment,
                                      VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR |
                                          VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                                      HostUse::write_once);
    if (!records) return propagate(std::move(records));
    RayTable table;
    table.records = std::move(*records);
    const VkDeviceAddress buffer = address_of(device, table.records.buffer.get());
    const VkDeviceAddress first = align_up(buffer, alignment);
    const auto region = [&](Group group) {
        const std::uint64_t offset = first - buffer + group * record;
        std::memcpy(table.records.bytes.data() + offset, handles.data() + group * handle_bytes,
                    handle_bytes);
        return VkStridedDeviceAddressRegionKHR{
            .deviceAddress = buffer + offset, .stride = record, .size = record};
    };
    table.generation = region(kGeneration);
    table.miss = region(kMiss);
    table.hit = region(kHit);
    return table;
}

} // namespace tuff
