// The part of Recorder that builds acceleration structures.

#include "gpu/execute/acceleration.hpp"
#include "gpu/execute/plan_enums.hpp"
#include "gpu/execute/recorder.hpp"
#include "gpu/memory/memory.hpp"
#include "gpu/memory/resource_info.hpp"

#include <fmt/format.h>

namespace tuff {
namespace {

/// Scratch memory begins at a multiple of what any device asks for; buffers have room for that.
VkDeviceAddress scratch_address(const DeviceImpl& device, VkBuffer buffer) {
    return align_up(address_of(device, buffer), kAccelerationScratchAlignment);
}

VkAccelerationStructureInstanceKHR instance_of(VkDeviceAddress bottom) {
    VkAccelerationStructureInstanceKHR instance{};
    for (int axis = 0; axis < 3; ++axis)
        instance.transform.matrix[axis][axis] = 1.0f;
    instance.mask = 0xff;
    instance.flags = VK_GEOMETRY_INSTANCE_TRIANGLE_FACING_CULL_DISABLE_BIT_KHR;
    instance.accelerationStructureReference = bottom;
    return instance;
}

VkDeviceAddress reference_to(const DeviceImpl& device, VkAccelerationStructureKHR structure) {
    VkAccelerationStructureDeviceAddressInfoKHR info{};
    info.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR;
    info.accelerationStructure = structure;
    return device.vk.vkGetAccelerationStructureDeviceAddressKHR(device.handle, &info);
}

} // namespace

Result<void> Recorder::record(NodeId node, const BuildAccelerationNode& build) {
    const Bound destination = bound(node, build.destination);
    const Bound scratch = bound(node, build.scratch);
    const bool is_top = build.level == AccelerationLevel::top;
    AccelerationBuild what;
    if (is_top) {
        what.set_instances(address_of(*device_, bound(node, build.instances).handle.buffer));
    } else {
        const VkDeviceAddress indices =
            build.indices == ~0u ? 0
                                 : address_of(*device_, bound(node, build.indices).handle.buffer);
        what.set_triangles(address_of(*device_, bound(node, build.positions).handle.buffer),
                           build.vertices, indices);
    }
    const std::uint32_t count = is_top ? 1 : build.triangles;
    const std::uint64_t room = destination.desc->buffer().size;
    const std::uint64_t scratch_room = scratch.desc->buffer().size - kAccelerationScratchAlignment;
    const auto sizes = what.sizes(*device_, count);
    if (sizes.accelerationStructureSize > room || sizes.buildScratchSize > scratch_room)
        return fail("gpu/acceleration-size",
                    fmt::format("node \"{}\": the device wants {} and {} bytes, but the graph has "
                                "made room for {} and {}",
                                graph_->name_of(node), sizes.accelerationStructureSize,
                                sizes.buildScratchSize, room, scratch_room));
    auto structure = s_->resources->acceleration(destination.handle.buffer, room, what.info.type);
    if (!structure) return propagate(std::move(structure));
    what.info.dstAccelerationStructure = *structure;
    what.info.scratchData.deviceAddress = scratch_address(*device_, scratch.handle.buffer);
    VkAccelerationStructureBuildRangeInfoKHR range{};
    range.primitiveCount = count;
    const VkAccelerationStructureBuildRangeInfoKHR* ranges = &range;
    device_->vk.vkCmdBuildAccelerationStructuresKHR(commands_, 1, &what.info, &ranges);
    if (is_top) return {};
    const VkAccelerationStructureInstanceKHR instance =
        instance_of(reference_to(*device_, *structure));
    device_->vk.vkCmdUpdateBuffer(commands_, bound(node, build.instances).handle.buffer, 0,
                                  sizeof(instance), &instance);
    return {};
}

} // namespace tuff
