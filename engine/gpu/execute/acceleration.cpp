#include "gpu/execute/acceleration.hpp"

#include <algorithm>

namespace tuff {
namespace {

// Triangles that the device is asked about: up to 2^27, in steps of an eighth, so that the room for
// a mesh is at most an eighth more than it needs.
constexpr std::uint32_t kOctaves = 27;
constexpr std::uint32_t kStepsOfOctave = 8;

/// Bytes of a position and of an index; formats that all builds take.
constexpr VkDeviceSize kPositionBytes = 12;

void begin(AccelerationBuild& build, VkAccelerationStructureTypeKHR type,
           VkGeometryTypeKHR geometry) {
    build.geometry = {};
    build.geometry.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR;
    build.geometry.geometryType = geometry;
    build.info = {};
    build.info.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR;
    build.info.type = type;
    build.info.flags = VK_BUILD_ACCELERATION_STRUCTURE_PREFER_FAST_BUILD_BIT_KHR;
    build.info.mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_BUILD_KHR;
    build.info.geometryCount = 1;
    build.info.pGeometries = &build.geometry;
}

AccelerationSizes::Size size_of(const DeviceImpl& device, const AccelerationBuild& build,
                                std::uint32_t count) {
    const auto sizes = build.sizes(device, count);
    return {.triangles = count,
            .bytes = sizes.accelerationStructureSize,
            .scratch_bytes = sizes.buildScratchSize};
}

/// Triangles that one build may be over.
std::uint32_t most_triangles(const DeviceImpl& device) {
    VkPhysicalDeviceAccelerationStructurePropertiesKHR limits{};
    limits.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_PROPERTIES_KHR;
    VkPhysicalDeviceProperties2 all{};
    all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    all.pNext = &limits;
    vkGetPhysicalDeviceProperties2(device.physical, &all);
    return static_cast<std::uint32_t>(
        std::min(limits.maxPrimitiveCount, std::uint64_t{1} << kOctaves));
}

} // namespace

void AccelerationBuild::set_triangles(VkDeviceAddress positions, std::uint32_t vertices,
                                      VkDeviceAddress indices) {
    begin(*this, VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR, VK_GEOMETRY_TYPE_TRIANGLES_KHR);
    auto& triangles = geometry.geometry.triangles;
    triangles.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_TRIANGLES_DATA_KHR;
    triangles.vertexFormat = VK_FORMAT_R32G32B32_SFLOAT;
    triangles.vertexData.deviceAddress = positions;
    triangles.vertexStride = kPositionBytes;
    triangles.maxVertex = vertices == 0 ? 0 : vertices - 1;
    triangles.indexType = indices == 0 ? VK_INDEX_TYPE_NONE_KHR : VK_INDEX_TYPE_UINT32;
    triangles.indexData.deviceAddress = indices;
}

void AccelerationBuild::set_instances(VkDeviceAddress instances) {
    begin(*this, VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR, VK_GEOMETRY_TYPE_INSTANCES_KHR);
    auto& data = geometry.geometry.instances;
    data.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR;
    data.data.deviceAddress = instances;
}

VkAccelerationStructureBuildSizesInfoKHR AccelerationBuild::sizes(const DeviceImpl& device,
                                                                  std::uint32_t count) const {
    VkAccelerationStructureBuildSizesInfoKHR result{};
    result.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR;
    device.vk.vkGetAccelerationStructureBuildSizesKHR(
        device.handle, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR, &info, &count, &result);
    return result;
}

std::shared_ptr<const AccelerationSizes> acceleration_sizes(const DeviceImpl& device) {
    auto result = std::make_shared<AccelerationSizes>();
    AccelerationBuild build;
    const std::uint32_t most_at_once = most_triangles(device);
    const auto add = [&](std::uint32_t wanted) {
        const std::uint32_t triangles = std::min(wanted, most_at_once);
        if (!result->bottom.empty() && result->bottom.back().triangles == triangles) return;
        // Addresses do not count, but whether there are indices may.
        AccelerationSizes::Size most;
        for (const VkDeviceAddress indices : {VkDeviceAddress{0}, VkDeviceAddress{16}}) {
            build.set_triangles(0, 3 * triangles, indices);
            const AccelerationSizes::Size size = size_of(device, build, triangles);
            most = {.triangles = triangles,
                    .bytes = std::max(most.bytes, size.bytes),
                    .scratch_bytes = std::max(most.scratch_bytes, size.scratch_bytes)};
        }
        result->bottom.push_back(most);
    };
    for (std::uint32_t few = 1; few < kStepsOfOctave; ++few)
        add(few);
    for (std::uint32_t octave = 3; octave < kOctaves; ++octave)
        for (std::uint32_t step = 0; step < kStepsOfOctave; ++step)
            add((1u << octave) + step * ((1u << octave) / kStepsOfOctave));
    build.set_instances(0);
    result->top = size_of(device, build, 1);
    return result;
}

VkDeviceAddress address_of(const DeviceImpl& device, VkBuffer buffer) {
    VkBufferDeviceAddressInfo info{};
    info.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
    info.buffer = buffer;
    return device.vk.vkGetBufferDeviceAddress(device.handle, &info);
}

Result<VkAccelerationStructureKHR> AccelerationCache::get(const DeviceImpl& device, VkBuffer buffer,
                                                          std::uint64_t bytes,
                                                          VkAccelerationStructureTypeKHR type) {
    const std::lock_guard lock(mutex_);
    const auto known = made_.find({buffer, type});
    if (known != made_.end()) return known->second.get();
    VkAccelerationStructureCreateInfoKHR info{};
    info.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR;
    info.buffer = buffer;
    info.size = bytes;
    info.type = type;
    VkAccelerationStructureKHR handle = VK_NULL_HANDLE;
    auto ok = check(
        device.vk.vkCreateAccelerationStructureKHR(device.handle, &info, device.allocator, &handle),
        "vkCreateAccelerationStructureKHR");
    if (!ok) return propagate(std::move(ok));
    made_.emplace(std::pair{buffer, type}, OwnedAcceleration(device, handle));
    return handle;
}

} // namespace tuff
