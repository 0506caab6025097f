#include "graph/compile/stages.hpp"

#include <algorithm>
#include <utility>

namespace tuff {

Result<Plan> compile(GraphDesc graph, const DeviceCaps& caps, const CompileOptions& asked) {
    CompileOptions options = asked;
    if (options.layouts == LayoutMode::by_device)
        options.layouts = caps.unified_layouts ? LayoutMode::general : LayoutMode::apart;
    Diagnostics mistakes = validate(graph, caps);
    if (has_errors(mistakes)) return std::unexpected(std::move(mistakes));

    AccessIndex index = index_accesses(graph);
    Dependencies dependencies = find_dependencies(graph, index);
    if (has_errors(dependencies.diagnostics))
        return std::unexpected(std::move(dependencies.diagnostics));

    if (options.poison) {
        graph = poison(std::move(graph));
        index = index_accesses(graph);
        dependencies = find_dependencies(graph, index);
    }

    std::vector<CullReason> culled = cull(graph, dependencies);
    const bool tells = add_status_outputs(graph, culled);
    if (tells || std::ranges::any_of(culled, [](CullReason r) { return r != CullReason::none; })) {
        // What a culled node stood between depends on each other directly.
        index = index_accesses(graph, culled);
        dependencies = find_dependencies(graph, index);
    }
    Result<Order> ordered = order(graph, dependencies, culled, options.order);
    if (!ordered) return propagate(std::move(ordered));

    std::vector<UsageMask> usages = join_usages(graph, *ordered, index);
    const MemoryModel exact;
    const MemoryModel& model = options.memory ? *options.memory : exact;
    if (options.order == OrderMode::levels && ordered->nodes.size() > ordered->level_count)
        ordered = schedule(graph, dependencies, index, culled,
                           transient_bytes(graph, usages, model, caps), *std::move(ordered),
                           options.memory_budget);
    const std::vector<Queue> queues =
        assign_queues(graph, dependencies, *ordered, caps, options.queues);
    if (!queues.empty()) ordered = split_by_queue(*std::move(ordered), queues);
    std::vector<Sharing> sharing = find_sharing(graph, *ordered, index);
    std::vector<Life> lives = lifetimes(graph, *ordered, index);
    if (!queues.empty()) widen_lives(lives, graph, dependencies, *ordered, index);
    Memory memory = alias(graph, lives, usages, model, caps, options.alias);
    Synchronization sync = synchronize(graph, *ordered, index, memory, usages, sharing, options);
    return emit(std::move(graph), options, *std::move(ordered), std::move(culled),
                std::move(usages), std::move(sharing), std::move(memory), std::move(sync));
}

} // namespace tuff
