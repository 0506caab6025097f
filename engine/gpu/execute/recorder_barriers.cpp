// The parts of Recorder that synchronise: barriers, and the transfer of images between queues.

#include "gpu/execute/plan_enums.hpp"
#include "gpu/execute/recorder.hpp"
#include "gpu/memory/resource_info.hpp"
#include "graph/compile/sync/scope_bits.hpp"

namespace tuff {
namespace {

VkMemoryBarrier2 memory_barrier(const MemoryBarrier& from) {
    VkMemoryBarrier2 result{};
    result.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2;
    result.srcStageMask = from.source_stages;
    result.srcAccessMask = from.source_memory;
    result.dstStageMask = from.destination_stages;
    result.dstAccessMask = from.destination_memory;
    return result;
}

/// A change of layout that waits for readers names no write: what they have read is out of the
/// caches. Validation layers from before October 2023 (Khronos' issue 6508) want it named where
/// the image's memory was another one's. So such a barrier repeats what the others of its command
/// name of the stages that it waits for anyway. Drivers join the barriers of a command.
void name_writes_again(std::span<VkImageMemoryBarrier2> images, const VkMemoryBarrier2& memory) {
    VkAccessFlags2 named = memory.srcAccessMask;
    for (const VkImageMemoryBarrier2& image : images)
        named |= image.srcAccessMask;
    if (named == 0) return;
    for (VkImageMemoryBarrier2& image : images) {
        const bool hands_over = image.srcQueueFamilyIndex != image.dstQueueFamilyIndex;
        if (image.srcAccessMask != 0 || hands_over) continue;
        image.srcAccessMask =
            wide_memory(writes_in(narrow_stages(image.srcStageMask)) & narrow_memory(named));
    }
}

bool is_empty(const VkDependencyInfo& info) {
    return info.memoryBarrierCount == 0 && info.imageMemoryBarrierCount == 0;
}

} // namespace

bool Recorder::changes_owner(const ImageBarrier& barrier) const {
    if (barrier.from_queue == barrier.to_queue) return false;
    return device_->queue(barrier.from_queue)->family != device_->queue(barrier.to_queue)->family;
}

VkImageMemoryBarrier2 Recorder::image_barrier(const ImageBarrier& from) const {
    const ResourceDesc& resource = graph_->resources[from.resource.index];
    VkImageMemoryBarrier2 barrier{};
    barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2;
    barrier.srcStageMask = from.source_stages;
    barrier.srcAccessMask = from.source_memory;
    barrier.dstStageMask = from.destination_stages;
    barrier.dstAccessMask = from.destination_memory;
    barrier.oldLayout = to_vk(from.from);
    barrier.newLayout = to_vk(from.to);
    barrier.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    if (changes_owner(from)) {
        barrier.srcQueueFamilyIndex = device_->queue(from.from_queue)->family;
        barrier.dstQueueFamilyIndex = device_->queue(from.to_queue)->family;
    }
    barrier.image = s_->resources->at(from.resource, s_->phase).image;
    barrier.subresourceRange =
        subresources(resource.image().format, concrete(resource, from.range));
    return barrier;
}

VkDependencyInfo Recorder::dependency(const Batch& batch, VkMemoryBarrier2& memory) const {
    std::vector<VkImageMemoryBarrier2>& images = scratch_->barriers;
    images.clear();
    for (std::uint32_t i = 0; i < batch.images; ++i) {
        const ImageBarrier& from = plan_->image_barriers[batch.first_image + i];
        // Queues of one family share what they own: the acquisition alone changes the layout.
        const bool releases = from.from_queue != from.to_queue && from.from_queue == place_;
        if (releases && !changes_owner(from)) continue;
        images.push_back(image_barrier(from));
    }
    memory = memory_barrier(batch.memory);
    name_writes_again(images, memory);
    VkDependencyInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO;
    info.memoryBarrierCount =
        batch.memory.source_stages != 0 || batch.memory.destination_stages != 0 ? 1 : 0;
    info.pMemoryBarriers = &memory;
    info.imageMemoryBarrierCount = static_cast<std::uint32_t>(images.size());
    info.pImageMemoryBarriers = images.data();
    return info;
}

void Recorder::record_barriers(const Batch& batch) {
    VkMemoryBarrier2 memory;
    const VkDependencyInfo info = dependency(batch, memory);
    if (!is_empty(info)) device_->vk.vkCmdPipelineBarrier2(commands_, &info);
}

} // namespace tuff
