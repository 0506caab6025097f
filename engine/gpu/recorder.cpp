#include "gpu/recorder.hpp"

#include "gpu/command_context.hpp"
#include "gpu/plan_enums.hpp"
#include "gpu/resource_info.hpp"

#include <algorithm>

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

} // namespace

std::vector<bool> kept_versions(const Plan& plan) {
    const GraphDesc& graph = plan.graph;
    std::vector<bool> kept(graph.versions.size(), false);
    for (std::size_t i = 0; i < graph.versions.size(); ++i) {
        const ResourceDesc& resource = graph.resources[graph.versions[i].resource.index];
        kept[i] = resource.lifetime != Lifetime::transient;
    }
    for (const NodeId node : plan.order) {
        const NodeDesc& desc = graph.nodes[node.index];
        for (std::uint32_t i = 0; i < desc.access_count; ++i) {
            const AccessDesc& access = access_of(graph, node, i);
            if (access.read) kept[access.read.index] = true;
        }
    }
    for (const OutputDesc& output : graph.outputs)
        if (output.version) kept[output.version.index] = true;
    return kept;
}

std::uint32_t timestamp_count(const Plan& plan) {
    return static_cast<std::uint32_t>(plan.order.size()) + 2;
}

Recorder::Recorder(const RecordSources& sources, RecordScratch& scratch, VkCommandBuffer commands)
    : s_(&sources), device_(sources.device), plan_(sources.plan), graph_(&sources.plan->graph),
      scratch_(&scratch), commands_(commands) {}

Result<void> Recorder::record(const Segment& segment) {
    const auto all = static_cast<std::uint32_t>(plan_->order.size());
    if (segment.first == 0) {
        if (s_->queries != VK_NULL_HANDLE)
            device_->vk.vkCmdResetQueryPool(commands_, s_->queries, 0, timestamp_count(*plan_));
        timestamp(0);
    }
    auto level = std::ranges::lower_bound(plan_->levels, segment.first, {}, &Level::first_node);
    for (std::uint32_t i = segment.first; i < segment.last; ++i) {
        for (; level != plan_->levels.end() && level->first_node == i; ++level)
            record_barriers(*level);
        if (auto ok = record_node(plan_->order[i]); !ok) return ok;
        if (s_->timings == Timings::nodes) timestamp(i + 1);
    }
    if (segment.last != all) return {};
    record_barriers(plan_->epilogue);
    timestamp(all + 1);
    return {};
}

void Recorder::timestamp(std::uint32_t query) {
    if (s_->queries == VK_NULL_HANDLE) return;
    device_->vk.vkCmdWriteTimestamp2(commands_, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, s_->queries,
                                     query);
}

void Recorder::record_barriers(const Level& level) {
    if (!level.has_barriers()) return;
    const VkMemoryBarrier2 global = memory_barrier(level.memory);
    const bool has_global = level.memory.source_stages != 0 || level.memory.destination_stages != 0;
    std::vector<VkImageMemoryBarrier2>& images = scratch_->barriers;
    images.clear();
    for (std::uint32_t i = 0; i < level.image_barrier_count; ++i) {
        const ImageBarrier& from = plan_->image_barriers[level.first_image_barrier + i];
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
        barrier.image = s_->resources->at(from.resource, s_->phase).image;
        barrier.subresourceRange =
            subresources(resource.image().format, concrete(resource, from.range));
        images.push_back(barrier);
    }
    VkDependencyInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO;
    info.memoryBarrierCount = has_global ? 1 : 0;
    info.pMemoryBarriers = &global;
    info.imageMemoryBarrierCount = static_cast<std::uint32_t>(images.size());
    info.pImageMemoryBarriers = images.data();
    device_->vk.vkCmdPipelineBarrier2(commands_, &info);
}

Result<void> Recorder::record_node(NodeId node) {
    scratch_->label = graph_->name_of(node);
    device_->begin_label(commands_, scratch_->label);
    auto ok = std::visit([&](const auto& payload) { return record(node, payload); },
                         payload_of(*graph_, node));
    device_->end_label(commands_);
    return ok;
}

Recorder::Bound Recorder::bound(NodeId node, std::uint32_t index) const {
    const std::uint32_t access_index = graph_->nodes[node.index].first_access + index;
    const AccessDesc& access = graph_->accesses[access_index];
    Bound result;
    result.resource = resource_of(*graph_, access);
    result.desc = &graph_->resources[result.resource.index];
    result.handle = s_->resources->at(result.resource, s_->phase);
    result.range = concrete(*result.desc, access.range);
    result.access = access.access;
    result.layout = to_vk(plan_->access_layouts[access_index]);
    return result;
}

void Recorder::bind_kernel(NodeId node, VkPipelineBindPoint point) {
    const std::uint32_t kernel = s_->kernels->index_of[node.index];
    const NodePipeline& pipeline = s_->pipelines->of(kernel);
    device_->vk.vkCmdBindPipeline(commands_, point, pipeline.pipeline);
    const KernelUse& use = *kernel_of(*graph_, node);
    if (use.shader->push_bytes == 0) return;
    device_->vk.vkCmdPushConstants(commands_, pipeline.layout->pipeline.get(),
                                   use.shader->push_stages, 0, use.shader->push_bytes,
                                   s_->parameters.data() + use.push_offset);
}

void Recorder::bind_sets(NodeId node, VkPipelineBindPoint point, std::uint32_t group) {
    const std::uint32_t kernel = s_->kernels->index_of[node.index];
    const auto sets = s_->descriptors->sets(kernel, s_->slot, s_->phase, group);
    if (sets.empty()) return;
    device_->vk.vkCmdBindDescriptorSets(
        commands_, point, s_->pipelines->of(kernel).layout->pipeline.get(), 0,
        static_cast<std::uint32_t>(sets.size()), sets.data(), 0, nullptr);
}

Result<void> Recorder::record(NodeId, const EmptyNode&) {
    return {};
}

Result<void> Recorder::record(NodeId node, const ComputeNode& compute) {
    bind_kernel(node, VK_PIPELINE_BIND_POINT_COMPUTE);
    bind_sets(node, VK_PIPELINE_BIND_POINT_COMPUTE, 0);
    if (compute.indirect_access == ~0u) {
        const auto& groups = compute.groups;
        device_->vk.vkCmdDispatch(commands_, groups[0], groups[1], groups[2]);
        return {};
    }
    const Bound counts = bound(node, compute.indirect_access);
    device_->vk.vkCmdDispatchIndirect(commands_, counts.handle.buffer,
                                      counts.range.offset + compute.indirect_offset);
    return {};
}

Result<void> Recorder::record(NodeId node, const CustomNode& custom) {
    if (!custom.record) return {};
    NodeCommandContext context(*device_, *plan_, node, *s_->resources, s_->phase, commands_);
    custom.record(context);
    return context.take_error();
}

} // namespace tuff
