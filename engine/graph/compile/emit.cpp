#include "graph/compile/stages.hpp"

#include <algorithm>
#include <utility>

namespace tuff {
namespace {

/// Whose image `resource` goes on in. Shortens the way there for those that ask later.
ResourceId first_object(std::vector<ResourceId>& former, ResourceId resource) {
    ResourceId first = resource;
    while (former[first.index])
        first = former[first.index];
    while (resource != first)
        resource = std::exchange(former[resource.index], first);
    return first;
}

} // namespace

Plan emit(GraphDesc graph, const CompileOptions& options, Order order,
          std::vector<CullReason> culled, std::vector<UsageMask> usages,
          std::vector<Sharing> sharing, Memory memory, Synchronization sync) {
    Plan plan{.graph = std::move(graph), .options = options};
    plan.options.memory = nullptr;
    plan.levels = std::move(sync.levels);
    plan.epilogue = sync.epilogue;
    plan.order = std::move(order.nodes);
    plan.image_barriers = std::move(sync.image_barriers);
    plan.reasons = std::move(sync.reasons);
    plan.access_layouts = std::move(sync.access_layouts);
    plan.usages = std::move(usages);
    plan.allocations = std::move(memory.allocations);
    for (std::uint32_t r = 0; r < sync.former_objects.size(); ++r)
        plan.allocations[r].object = first_object(sync.former_objects, {r});
    plan.blocks = std::move(memory.blocks);
    plan.culled = std::move(culled);
    plan.boundaries = std::move(sync.boundaries);
    plan.submissions = std::move(sync.submissions);
    plan.waits = std::move(sync.waits);
    plan.sharing = std::move(sharing);

    PlanStatistics& s = plan.statistics;
    s.nodes = static_cast<std::uint32_t>(plan.order.size());
    s.culled =
        static_cast<std::uint32_t>(std::ranges::count(plan.culled, CullReason::result_unused));
    s.levels = static_cast<std::uint32_t>(plan.levels.size());
    s.image_barriers = static_cast<std::uint32_t>(plan.image_barriers.size());
    s.semaphores = static_cast<std::uint32_t>(plan.waits.size());
    const auto count_barriers = [&](const Level& level) {
        s.batches += level.has_barriers() ? 1u : 0u;
        s.memory_barriers += level.memory.source_stages != 0 ? 1u : 0u;
    };
    std::ranges::for_each(plan.levels, count_barriers);
    count_barriers(plan.epilogue);
    for (const MemoryBlock& block : plan.blocks)
        s.transient_bytes += block.size;
    s.naive_bytes = memory.naive_bytes;
    s.peak_bytes = memory.peak_bytes;
    return plan;
}

} // namespace tuff
