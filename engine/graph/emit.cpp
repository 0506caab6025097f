#include "graph/stages.hpp"

#include <utility>

namespace tuff {
namespace {

std::uint32_t count_batches(const Plan& plan) {
    std::uint32_t batches = plan.epilogue.has_barriers() ? 1u : 0u;
    for (const Level& level : plan.levels)
        batches += level.has_barriers() ? 1u : 0u;
    return batches;
}

std::uint32_t count_memory_barriers(const Plan& plan) {
    const auto has = [](const Level& level) { return level.memory.source_stages != 0 ? 1u : 0u; };
    std::uint32_t barriers = has(plan.epilogue);
    for (const Level& level : plan.levels)
        barriers += has(level);
    return barriers;
}

} // namespace

Plan emit(GraphDesc graph, const CompileOptions& options, Order order,
          std::vector<CullReason> culled, std::vector<UsageMask> usages,
          std::vector<Sharing> sharing, Memory memory, Synchronization sync) {
    Plan plan{.graph = std::move(graph), .options = options};
    plan.options.memory = nullptr;
    plan.levels = std::move(sync.levels);
    plan.epilogue = sync.epilogue;
    for (Level& level : plan.levels)
        level.node_count = 0;
    for (const NodeId node : order.nodes)
        ++plan.levels[order.level_of[node.index]].node_count;
    std::uint32_t first = 0;
    for (Level& level : plan.levels) {
        level.first_node = first;
        first += level.node_count;
    }
    plan.epilogue.first_node = first;
    plan.order = std::move(order.nodes);
    plan.image_barriers = std::move(sync.image_barriers);
    plan.reasons = std::move(sync.reasons);
    plan.access_layouts = std::move(sync.access_layouts);
    plan.usages = std::move(usages);
    plan.allocations = std::move(memory.allocations);
    for (std::uint32_t r = 0; r < sync.former_objects.size(); ++r)
        for (ResourceId former = sync.former_objects[r]; former;
             former = sync.former_objects[former.index])
            plan.allocations[r].object = former;
    plan.blocks = std::move(memory.blocks);
    plan.culled = std::move(culled);
    plan.boundaries = std::move(sync.boundaries);
    plan.split_barriers = std::move(sync.split_barriers);
    plan.submissions = std::move(sync.submissions);
    plan.waits = std::move(sync.waits);
    plan.sharing = std::move(sharing);

    PlanStatistics& s = plan.statistics;
    s.nodes = static_cast<std::uint32_t>(plan.order.size());
    s.culled = static_cast<std::uint32_t>(plan.graph.nodes.size()) - s.nodes;
    s.levels = static_cast<std::uint32_t>(plan.levels.size());
    s.batches = count_batches(plan);
    s.image_barriers = static_cast<std::uint32_t>(plan.image_barriers.size());
    s.memory_barriers = count_memory_barriers(plan);
    s.split_barriers = static_cast<std::uint32_t>(plan.split_barriers.size());
    s.semaphores = static_cast<std::uint32_t>(plan.waits.size());
    for (const MemoryBlock& block : plan.blocks)
        s.transient_bytes += block.size;
    s.naive_bytes = memory.naive_bytes;
    s.peak_bytes = memory.peak_bytes;
    return plan;
}

} // namespace tuff
