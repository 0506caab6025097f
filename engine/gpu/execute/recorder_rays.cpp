// The part of Recorder that launches ray-tracing pipelines.

#include "gpu/execute/acceleration.hpp"
#include "gpu/execute/recorder.hpp"

namespace tuff {

Result<void> Recorder::record(NodeId node, const RayNode& rays) {
    bind_kernel(node, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR);
    bind_sets(node, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, 0);
    const RayTable& table = *s_->pipelines->of(s_->kernels->index_of[node.index]).rays;
    const VkStridedDeviceAddressRegionKHR none{};
    if (rays.indirect_access == ~0u) {
        device_->vk.vkCmdTraceRaysKHR(commands_, &table.generation, &table.miss, &table.hit, &none,
                                      rays.rays[0], rays.rays[1], rays.rays[2]);
        return {};
    }
    const Bound counts = bound(node, rays.indirect_access);
    device_->vk.vkCmdTraceRaysIndirectKHR(
        commands_, &table.generation, &table.miss, &table.hit, &none,
        address_of(*device_, counts.handle.buffer) + counts.range.offset + rays.indirect_offset);
    return {};
}

} // namespace tuff
