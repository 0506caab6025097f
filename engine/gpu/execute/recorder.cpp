#include "gpu/execute/recorder.hpp"

#include "gpu/execute/command_context.hpp"
#include "gpu/execute/plan_enums.hpp"
#include "gpu/memory/resource_info.hpp"

#include <algorithm>
#include <utility>

namespace tuff {

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

TimestampLayout::TimestampLayout(const Plan& plan)
    : submissions(static_cast<std::uint32_t>(plan.submissions.size())),
      nodes(static_cast<std::uint32_t>(plan.order.size())) {}

Recorder::Recorder(const RecordSources& sources, RecordScratch& scratch, VkCommandBuffer commands)
    : s_(&sources), device_(sources.device), plan_(sources.plan), graph_(&sources.plan->graph),
      scratch_(&scratch), commands_(commands) {}

Result<void> Recorder::record(const Segment& segment) {
    place_ = plan_->submissions[segment.submission].queue;
    queue_ = device_->queue(place_);
    const TimestampLayout times(*plan_);
    scratch_->open_scopes.clear();
    if (segment.begins) begin_submission(segment.submission);
    for (const Piece& piece : s_->segments->pieces_of(segment)) {
        if (piece.begins) begin_level(piece.level);
        for (std::uint32_t i = piece.first; i < piece.last; ++i) {
            if (auto ok = record_node(i); !ok) return ok;
            if (s_->timings == Timings::nodes) timestamp(times.after(i));
        }
        if (piece.ends) end_level(piece.level);
    }
    enter_scopes({}); // labels end where they began, in this command buffer
    if (!segment.ends) return {};
    if (segment.submission + 1 == plan_->submissions.size()) end_execution();
    record_barriers({plan_->submissions[segment.submission].to_host, 0, 0});
    return {};
}

void Recorder::end_execution() {
    const Level& end = plan_->epilogue;
    record_barriers({end.memory, end.first_image_barrier, end.image_barrier_count});
    if (s_->pools->bytes() != 0)
        s_->pools->record(*device_, *s_->resources, commands_, s_->pool_buffer);
    timestamp(TimestampLayout(*plan_).end());
}

void Recorder::begin_submission(std::uint32_t submission) {
    const TimestampLayout times(*plan_);
    // Queues that run at once leave no point at which one could reset the queries of all: then the
    // host does it.
    if (s_->queries != VK_NULL_HANDLE && times.submissions == 1)
        device_->vk.vkCmdResetQueryPool(commands_, s_->queries, 0, times.count());
    timestamp(times.begin(submission));
    record_barriers({plan_->submissions[submission].from_host, 0, 0});
}

void Recorder::begin_level(std::uint32_t index) {
    const Level& level = plan_->levels[index];
    record_barriers({level.memory, level.first_image_barrier, level.image_barrier_count});
}

void Recorder::end_level(std::uint32_t index) {
    const Level& level = plan_->levels[index];
    record_barriers({{}, level.first_release, level.release_count});
}

void Recorder::timestamp(std::uint32_t query) {
    if (s_->queries == VK_NULL_HANDLE || queue_->timestamp_bits == 0) return;
    device_->vk.vkCmdWriteTimestamp2(commands_, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, s_->queries,
                                     query);
}

Result<void> Recorder::record_node(std::uint32_t position) {
    const NodeId node = plan_->order[position];
    begin_node_label(graph_->name_of(node));
    Trail::begin(*device_, commands_, s_->marks, place_, position);
    auto ok = std::visit([&](const auto& payload) { return record(node, payload); },
                         payload_of(*graph_, node));
    Trail::end(*device_, commands_, s_->marks, place_, position);
    device_->end_label(commands_);
    return ok;
}

void Recorder::begin_node_label(std::string_view name) {
    if (!device_->has_labels()) return;
    const std::size_t scopes = name.rfind('/') + 1; // 0 where there is none
    enter_scopes(name.substr(0, scopes));
    scratch_->label = name.substr(scopes);
    device_->begin_label(commands_, scratch_->label);
}

void Recorder::enter_scopes(std::string_view path) {
    std::string& open = scratch_->open_scopes;
    while (!path.starts_with(open)) {
        device_->end_label(commands_);
        open.resize(open.rfind('/', open.size() - 2) + 1);
    }
    while (open.size() < path.size()) {
        const std::size_t end = path.find('/', open.size()) + 1;
        scratch_->label = path.substr(open.size(), end - 1 - open.size());
        device_->begin_label(commands_, scratch_->label);
        open = path.substr(0, end);
    }
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
    VkPipeline& bound = pipelines_[point == VK_PIPELINE_BIND_POINT_GRAPHICS  ? 0
                                   : point == VK_PIPELINE_BIND_POINT_COMPUTE ? 1
                                                                             : 2];
    if (std::exchange(bound, pipeline.pipeline) != pipeline.pipeline)
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

/// HostThread runs it.
Result<void> Recorder::record(NodeId, const HostNode&) {
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
    pipelines_ = {}; // the host may have bound others
    return context.take_error();
}

} // namespace tuff
