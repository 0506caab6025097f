#include "gpu/execute/sample_queries.hpp"

#include "gpu/device/vulkan_result.hpp"

#include <variant>

namespace tuff {

Result<SampleQueries> SampleQueries::create(const DeviceImpl& device, const Plan& plan) {
    SampleQueries result;
    std::uint32_t count = 0;
    for (const NodeId node : plan.order) {
        const std::uint32_t payload = plan.graph.nodes[node.index].payload;
        if (payload == ~0u) continue;
        const auto* raster = std::get_if<RasterNode>(&plan.graph.payloads[payload]);
        if (!raster || raster->count_access == ~0u) continue;
        if (count == 0) result.query_of_.resize(plan.graph.nodes.size(), kNone);
        result.query_of_[node.index] = count++;
    }
    if (count == 0) return result;
    VkQueryPoolCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
    info.queryType = VK_QUERY_TYPE_OCCLUSION;
    info.queryCount = count;
    VkQueryPool pool = VK_NULL_HANDLE;
    auto ok = check(device.vk.vkCreateQueryPool(device.handle, &info, device.allocator, &pool),
                    "vkCreateQueryPool");
    if (!ok) return propagate(std::move(ok));
    result.pool_ = OwnedQueryPool(device, pool);
    return result;
}

} // namespace tuff
