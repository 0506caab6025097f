#include "dealt_plan.hpp"

#include <algorithm>

namespace tuff::testing_gpu {
namespace {

const NodePayload& payload_of(const GraphDesc& graph, NodeId node) {
    static const NodePayload kEmpty = EmptyNode{};
    const NodeDesc& desc = graph.nodes[node.index];
    return desc.payload == ~0u ? kEmpty : graph.payloads[desc.payload];
}

bool writes_image(const GraphDesc& graph, NodeId node) {
    const NodeDesc& desc = graph.nodes[node.index];
    for (std::uint32_t i = 0; i < desc.access_count; ++i) {
        const AccessDesc& access = graph.accesses[desc.first_access + i];
        if (access.written && graph.resource_of(access.written).is_image()) return true;
    }
    return false;
}

bool can_run(const GraphDesc& graph, NodeId node, Queue queue) {
    const NodePayload& payload = payload_of(graph, node);
    const bool copies = std::holds_alternative<CopyNode>(payload) ||
                        std::holds_alternative<UploadNode>(payload) ||
                        (std::holds_alternative<FillNode>(payload) && !writes_image(graph, node));
    if (queue == Queue::transfer) return copies;
    if (queue == Queue::compute) return copies || std::holds_alternative<ComputeNode>(payload);
    return true;
}

constexpr MemoryMask kAny = memory::kMemoryRead | memory::kMemoryWrite;

void make_full(MemoryBarrier& barrier) {
    barrier = {stage::kAllCommands, kAny, stage::kAllCommands, kAny};
}

} // namespace

Plan dealt_out(Plan plan, std::span<const Queue> queues) {
    plan.submissions.clear();
    plan.waits.clear();
    const auto enter = [&](Queue queue) {
        if (!plan.submissions.empty() && plan.submissions.back().queue == queue) return;
        Submission next{.queue = queue,
                        .first_wait = static_cast<std::uint32_t>(plan.waits.size())};
        if (!plan.submissions.empty()) {
            plan.waits.push_back(static_cast<std::uint32_t>(plan.submissions.size() - 1));
            next.wait_count = 1;
        }
        plan.submissions.push_back(next);
    };
    for (std::size_t i = 0; i < plan.levels.size(); ++i) {
        Level& level = plan.levels[i];
        level.queue = queues[i % queues.size()];
        for (std::uint32_t n = 0; n < level.node_count; ++n)
            if (!can_run(plan.graph, plan.order[level.first_node + n], level.queue))
                level.queue = Queue::graphics;
        enter(level.queue);
        level.submission = static_cast<std::uint32_t>(plan.submissions.size() - 1);
        make_full(level.memory);
    }
    enter(Queue::graphics);
    plan.epilogue.submission = static_cast<std::uint32_t>(plan.submissions.size() - 1);
    make_full(plan.epilogue.memory);
    for (ImageBarrier& barrier : plan.image_barriers) {
        barrier.source_stages = barrier.destination_stages = stage::kAllCommands;
        barrier.source_memory = barrier.destination_memory = kAny;
    }
    std::ranges::fill(plan.sharing, Sharing::concurrent);
    return plan;
}

Plan with_shared_objects(Plan plan) {
    for (std::uint32_t i = 0; i < plan.allocations.size(); ++i) {
        Allocation& later = plan.allocations[i];
        if (later.block == ~0u || !plan.graph.resources[i].is_image()) continue;
        for (std::uint32_t j = 0; j < i; ++j) {
            Allocation& earlier = plan.allocations[j];
            const bool alike = plan.usages[i] == plan.usages[j] &&
                               plan.graph.resources[i].desc == plan.graph.resources[j].desc;
            const bool after = earlier.last_level < later.first_level;
            if (earlier.block != later.block || earlier.object.index != j || !alike || !after)
                continue;
            later.object = {j};
            later.offset = earlier.offset;
            earlier.last_level = later.last_level;
            break;
        }
    }
    return plan;
}

} // namespace tuff::testing_gpu
