#include "gpu/memory/pool_readback.hpp"

#include "gpu/device/one_off.hpp"
#include "gpu/memory/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace tuff {

PoolReadback::PoolReadback(const Plan& plan) {
    const GraphDesc& graph = plan.graph;
    for (const OutputDesc& output : graph.outputs) {
        if (!output.pools) continue;
        const ResourceId resource = graph.versions[output.version.index].resource;
        const std::uint64_t size = graph.resources[resource.index].buffer().size;
        statuses_.push_back({resource, output.pools, graph.name(output.name), bytes_, size});
        bytes_ += align_up(size, sizeof(std::uint32_t));
    }
}

void PoolReadback::record(const DeviceImpl& device, const BoundResources& resources,
                          VkCommandBuffer commands, VkBuffer destination) const {
    for (const Status& status : statuses_) {
        const VkBufferCopy region{0, status.offset, status.size};
        // Statuses are transient, so that the phase does not matter.
        device.vk.vkCmdCopyBuffer(commands, resources.at(status.resource, 0).buffer, destination, 1,
                                  &region);
    }
    // For the host, and for the copy of the next execution from this slot.
    record_memory_barrier(device, commands,
                          {VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                           VK_PIPELINE_STAGE_2_HOST_BIT | VK_PIPELINE_STAGE_2_COPY_BIT,
                           VK_ACCESS_2_HOST_READ_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT});
}

void PoolReadback::read(std::span<const std::byte> memory, PoolSizes& needs) const {
    for (const Status& status : statuses_) {
        std::vector<std::uint32_t> words(status.size / sizeof(std::uint32_t));
        std::memcpy(words.data(), memory.subspan(status.offset).data(),
                    words.size() * sizeof(std::uint32_t));
        for (const PoolNeed& need : status.reader(words)) {
            std::uint64_t& most = needs[fmt::format("{}/{}", status.pass, need.pool)];
            most = std::max(most, need.elements);
        }
    }
}

} // namespace tuff
