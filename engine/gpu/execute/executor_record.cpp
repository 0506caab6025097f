// The recording side of ExecutorImpl: a command buffer per slot, history phase and segment, each
// recorded when what it contains has changed, several at once where that pays off.

#include "gpu/execute/executor_impl.hpp"

#include <algorithm>
#include <numeric>

namespace tuff {
namespace {

/// Calls `found` with every resource that the commands of a segment refer to, some several times.
template <typename Found>
void for_resources(const Plan& plan, const Segments& cut, std::uint32_t index, Found&& found) {
    const auto barriers = [&](std::uint32_t first, std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i)
            found(plan.image_barriers[first + i].resource);
    };
    const Segment& segment = cut.segments[index];
    for (const Piece& piece : cut.pieces_of(segment)) {
        const Level& level = plan.levels[piece.level];
        if (piece.begins) barriers(level.first_image_barrier, level.image_barrier_count);
        if (piece.ends) barriers(level.first_release, level.release_count);
        for (std::uint32_t i = piece.first; i < piece.last; ++i) {
            const NodeDesc& node = plan.graph.nodes[plan.order[i].index];
            for (std::uint32_t a = 0; a < node.access_count; ++a)
                found(resource_of(plan.graph, plan.graph.accesses[node.first_access + a]));
        }
    }
    if (!segment.ends || segment.submission + 1 != plan.submissions.size()) return;
    barriers(plan.epilogue.first_image_barrier, plan.epilogue.image_barrier_count);
}

} // namespace

void ExecutorImpl::create_segments() {
    thread_count = recording_threads(*plan, options.recording_threads);
    cut = split_into_segments(*plan, thread_count);
    const std::vector<Segment>& segments = cut.segments;
    generations.assign(segments.size(), 1);
    scratch.resize(segments.size());
    recorded.resize(segments.size());
    stale.reserve(segments.size());
    kept = kept_versions(*plan);
    segment_of_kernel.resize(kernels.nodes.size());
    std::vector<std::uint32_t> first_commands; // per submission; those of the host have none
    const auto begin_submissions = [&](std::uint32_t end, std::uint32_t segment) {
        first_commands.resize(std::max<std::size_t>(first_commands.size(), end), segment);
    };
    for (std::uint32_t segment = 0; segment < segments.size(); ++segment) {
        begin_submissions(segments[segment].submission + 1, segment);
        for (const Piece& piece : cut.pieces_of(segments[segment]))
            for (std::uint32_t i = piece.first; i < piece.last; ++i) {
                const std::uint32_t kernel = kernels.index_of[plan->order[i].index];
                if (kernel != ~0u) segment_of_kernel[kernel] = segment;
            }
    }
    begin_submissions(
        static_cast<std::uint32_t>(std::max<std::size_t>(plan->submissions.size(), 1)) + 1,
        static_cast<std::uint32_t>(segments.size()));
    submitter.set_commands(std::move(first_commands));
    host_resets_queries = plan->submissions.size() > 1;
}

/// Also where no node uses an import may a barrier take it into its last state.
void ExecutorImpl::find_imports() {
    const GraphDesc& graph = plan->graph;
    needs_import.assign(graph.resources.size(), false);
    changed_imports.assign(graph.resources.size(), false);
    segment_imports.resize(cut.segments.size());
    const auto is_import = [&](ResourceId id) {
        return graph.resources[id.index].lifetime == Lifetime::imported;
    };
    for (std::uint32_t i = 0; i < graph.resources.size(); ++i) {
        if (is_import({i})) {
            imported.push_back({i});
            needs_import[i] = plan->usages[i] != 0;
        }
    }
    for (const ImageBarrier& barrier : plan->image_barriers)
        if (is_import(barrier.resource)) needs_import[barrier.resource.index] = true;
    if (std::ranges::find(needs_import, true) == needs_import.end()) return;
    for (std::uint32_t segment = 0; segment < cut.segments.size(); ++segment) {
        std::vector<ResourceId>& found = segment_imports[segment];
        for_resources(*plan, cut, segment, [&](ResourceId id) {
            if (is_import(id) && std::ranges::find(found, id) == found.end()) found.push_back(id);
        });
    }
}

Result<void> ExecutorImpl::create_commands(FrameSlot& slot) {
    const std::size_t count = cut.segments.size() * resources.phases();
    VkCommandBufferSubmitInfo empty{};
    empty.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO;
    slot.commands.assign(count, empty);
    slot.generations.assign(count, 0);
    slot.pools.resize(count);
    for (std::uint32_t segment = 0; segment < cut.segments.size(); ++segment)
        for (std::uint32_t phase = 0; phase < resources.phases(); ++phase)
            if (auto ok = create_commands(slot, segment, phase); !ok) return ok;
    return {};
}

/// Each in a pool of its own, which is emptied as a whole: that is cheaper, and drivers have no
/// need to keep the memory of buffers apart.
Result<void> ExecutorImpl::create_commands(FrameSlot& slot, std::uint32_t segment,
                                           std::uint32_t phase) {
    const Queue queue = plan->submissions[cut.segments[segment].submission].queue;
    VkCommandPoolCreateInfo pool_info{};
    pool_info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    pool_info.queueFamilyIndex = device->queue(queue)->family;
    VkCommandPool pool = VK_NULL_HANDLE;
    auto ok =
        check(device->vk.vkCreateCommandPool(device->handle, &pool_info, device->allocator, &pool),
              "vkCreateCommandPool");
    if (!ok) return ok;
    const std::size_t place = command_index(phase, segment);
    slot.pools[place] = OwnedCommandPool(*device, pool);
    VkCommandBufferAllocateInfo allocate{};
    allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
    allocate.commandPool = pool;
    allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    allocate.commandBufferCount = 1;
    return check(device->vk.vkAllocateCommandBuffers(device->handle, &allocate,
                                                     &slot.commands[place].commandBuffer),
                 "vkAllocateCommandBuffers");
}

Result<void> ExecutorImpl::create_queries(FrameSlot& slot) {
    if (slot.queries || options.timings == Timings::off) return {};
    if (device->caps.timestamp_period_ns <= 0.0) return {};
    VkQueryPoolCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
    info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    info.queryCount = TimestampLayout(*plan).count();
    VkQueryPool queries = VK_NULL_HANDLE;
    auto ok =
        check(device->vk.vkCreateQueryPool(device->handle, &info, device->allocator, &queries),
              "vkCreateQueryPool");
    if (ok) slot.queries = OwnedQueryPool(*device, queries);
    return ok;
}

Result<OwnedEvent> ExecutorImpl::create_event(VkEventCreateFlags flags) const {
    VkEventCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO;
    info.flags = flags;
    VkEvent event = VK_NULL_HANDLE;
    auto ok = check(device->vk.vkCreateEvent(device->handle, &info, device->allocator, &event),
                    "vkCreateEvent");
    if (!ok) return propagate(std::move(ok));
    return OwnedEvent(*device, event);
}

RecordSources ExecutorImpl::record_sources(std::uint32_t index, std::uint32_t phase,
                                           const BoundResources& bound_resources) {
    FrameSlot& slot = slots[index];
    return {.device = device,
            .plan = plan.get(),
            .kernels = &kernels,
            .pipelines = &pipelines,
            .descriptors = &descriptors,
            .resources = &bound_resources,
            .uploads = &upload_layout,
            .upload_buffer = slot.uploads.buffer.get(),
            .pools = &pool_readback,
            .pool_buffer = slot.pool_statuses.buffer.get(),
            .marks = slot.mark_place(marks),
            .parameters = parameters,
            .segments = &cut,
            .kept = &kept,
            .samples = &sample_queries,
            .queries = options.timings == Timings::off ? VK_NULL_HANDLE : slot.queries.get(),
            .timings = options.timings,
            .slot = index,
            .phase = phase};
}

Result<void> ExecutorImpl::record(std::uint32_t index, std::uint32_t phase) {
    FrameSlot& slot = slots[index];
    const BoundResources bound_resources = bound(slot);
    const RecordSources sources = record_sources(index, phase, bound_resources);
    bool any = false;
    stale.clear();
    for (std::uint32_t segment = 0; segment < cut.segments.size(); ++segment) {
        const std::uint64_t known = slot.generations[command_index(phase, segment)];
        if (cut.segments[segment].custom) {
            if (auto ok = record(sources, segment); !ok) return ok;
            any = true;
        } else if (known != generations[segment] || options.replay == Replay::off) {
            stale.push_back(segment);
        }
    }
    const auto count = static_cast<std::uint32_t>(stale.size());
    const ScopedSpan recording(count != 0 ? options.timeline : nullptr,
                               span(HostWork::record, submitted + 1));
    if (count > 1 && thread_count > 1 && !workers) workers.emplace(thread_count);
    const auto record_stale = [&](std::uint32_t i) {
        recorded[stale[i]] = record(sources, stale[i]);
    };
    if (count > 1 && workers)
        workers->run(count, record_stale);
    else
        for (std::uint32_t i = 0; i < count; ++i)
            record_stale(i);
    for (const std::uint32_t segment : stale)
        if (!recorded[segment]) return recorded[segment];
    if (any || count != 0) ++recordings;
    return {};
}

Result<void> ExecutorImpl::record(const RecordSources& sources, std::uint32_t segment) {
    FrameSlot& slot = slots[sources.slot];
    const std::size_t place = command_index(sources.phase, segment);
    const VkCommandBuffer commands = slot.commands[place].commandBuffer;
    slot.generations[place] = 0;
    auto ok = check(device->vk.vkResetCommandPool(device->handle, slot.pools[place].get(), 0),
                    "vkResetCommandPool");
    if (!ok) return ok;
    VkCommandBufferBeginInfo begin{};
    begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    ok = check(device->vk.vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
    if (!ok) return ok;
    auto written = Recorder(sources, scratch[segment], commands).record(cut.segments[segment]);
    ok = check(device->vk.vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    if (!written) return written;
    if (ok) slot.generations[place] = generations[segment];
    return ok;
}

} // namespace tuff
