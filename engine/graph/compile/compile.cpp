#include "graph/compile/stages.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace tuff {

namespace {

/// What all parts of a graph are compiled with.
struct Setting {
    const DeviceCaps& caps;
    const CompileOptions& options;
    const MemoryModel& model;
};

/// The stages after culling.
Result<Plan> compile_part(GraphDesc graph, const AccessIndex& index,
                          const Dependencies& dependencies, std::vector<CullReason> culled,
                          const Setting& setting) {
    const auto& [caps, options, model] = setting;
    Result<Order> ordered = order(graph, dependencies, culled, options.order);
    if (!ordered) return propagate(std::move(ordered));

    std::vector<UsageMask> usages = join_usages(graph, *ordered, index);
    if (options.order == OrderMode::levels && ordered->nodes.size() > ordered->level_count)
        ordered = schedule(graph, dependencies, index, culled,
                           transient_bytes(graph, usages, model, caps), *std::move(ordered),
                           options.memory_budget);
    const std::vector<Queue> queues =
        assign_queues(graph, dependencies, *ordered, caps, options.queues);
    // With a budget the order of `schedule` is the one that needs least memory.
    if (options.order == OrderMode::levels && options.memory_budget == 0 &&
        std::ranges::find(queues, Queue::host) != queues.end())
        ordered = overlap_host_nodes(*std::move(ordered), dependencies, queues);
    if (!queues.empty()) ordered = split_by_queue(*std::move(ordered), queues);
    std::vector<Sharing> sharing = find_sharing(graph, *ordered, index);
    std::vector<LiveRange> live_ranges = lifetimes(graph, *ordered, index);
    if (!queues.empty()) widen_live_ranges(live_ranges, graph, dependencies, *ordered, index);
    Memory memory = alias(graph, live_ranges, usages, model, caps, options.alias);
    Synchronization sync = synchronize(graph, *ordered, index, memory, usages, sharing, options);
    return emit(std::move(graph), options, *std::move(ordered), std::move(culled),
                std::move(usages), std::move(sharing), std::move(memory), std::move(sync));
}

/// As if nodes of other parts did not exist.
Result<Plan> compile_part(GraphDesc graph, std::vector<CullReason> culled, const Setting& setting) {
    const AccessIndex index = index_accesses(graph, culled);
    const Dependencies dependencies = find_dependencies(graph, index);
    return compile_part(std::move(graph), index, dependencies, std::move(culled), setting);
}

/// Live nodes that are not of the part are left out for `reason`.
std::vector<CullReason> leave_out(std::vector<CullReason> culled, const std::vector<bool>& once,
                                  CullReason reason) {
    for (std::size_t n = 0; n < culled.size(); ++n)
        if (culled[n] == CullReason::none && once[n] == (reason == CullReason::runs_once))
            culled[n] = reason;
    return culled;
}

/// What runs each time: it finds what is kept as it finds constants.
Result<Plan> compile_frame(const GraphDesc& graph, const ConstantPart& part,
                           std::span<const CullReason> culled, const Setting& setting) {
    GraphDesc frame = graph;
    for (const KeptResult& kept : part.kept)
        frame.resources[kept.resource.index].lifetime = Lifetime::constant;
    auto plan = compile_part(
        std::move(frame),
        leave_out({culled.begin(), culled.end()}, part.runs_once, CullReason::runs_once), setting);
    if (!plan) return plan;
    for (const KeptResult& kept : part.kept)
        plan->graph.resources[kept.resource.index].lifetime = Lifetime::transient;
    return plan;
}

/// What runs once. It takes the memory of what is kept over from all that executions did, and
/// leaves it, in the layout that executions expect, for all that they will do.
Result<Plan> compile_setup(GraphDesc graph, const Plan& frame, const ConstantPart& part,
                           std::span<const CullReason> culled, const Setting& setting) {
    graph.outputs.clear();
    graph.statuses.clear();
    // It uses neither, and must not move imports into their last state.
    for (ResourceDesc& resource : graph.resources)
        if (resource.lifetime == Lifetime::imported || resource.lifetime == Lifetime::history)
            resource.lifetime = Lifetime::transient;
    for (const KeptResult& kept : part.kept) {
        ResourceDesc& resource = graph.resources[kept.resource.index];
        const Layout layout = resource.is_image()
                                  ? frame.boundaries[kept.resource.index].first.layout
                                  : Layout::undefined;
        resource.lifetime = Lifetime::imported;
        resource.import = {.first = {stage::kAllCommands, memory::kNone, Layout::undefined},
                           .last = {stage::kAllCommands, memory::kMemoryRead, layout}};
    }
    CompileOptions options = setting.options;
    options.queues = QueueMode::one;
    return compile_part(
        std::move(graph),
        leave_out({culled.begin(), culled.end()}, part.runs_once, CullReason::runs_each),
        {setting.caps, options, setting.model});
}

/// Fills in what keeping costs.
void account(Plan& frame, const Setting& setting) {
    PlanStatistics& s = frame.statistics;
    s.constant = frame.setup->statistics.nodes;
    for (KeptResult& kept : frame.kept) {
        const std::uint32_t r = kept.resource.index;
        kept.usage = frame.usages[r] | frame.setup->usages[r];
        const ResourceDesc& resource = frame.graph.resources[r];
        kept.bytes = resource.is_image() ? setting.model.image(resource.image(), kept.usage).size
                                         : setting.model.buffer(resource.buffer(), kept.usage).size;
        s.kept_bytes += kept.bytes;
    }
}

/// In two parts; none where that takes more memory than there may be.
Result<std::optional<Plan>> compile_parts(const GraphDesc& graph, ConstantPart part,
                                          std::span<const CullReason> culled,
                                          const Setting& setting) {
    auto frame = compile_frame(graph, part, culled, setting);
    if (!frame) return propagate(std::move(frame));
    auto setup = compile_setup(graph, *frame, part, culled, setting);
    if (!setup) return propagate(std::move(setup));
    frame->setup = std::make_shared<const Plan>(std::move(*setup));
    frame->kept = std::move(part.kept);
    account(*frame, setting);
    const std::uint64_t budget = setting.options.memory_budget;
    const PlanStatistics& s = frame->statistics;
    const std::uint64_t bytes =
        s.kept_bytes + s.transient_bytes + frame->setup->statistics.transient_bytes;
    if (budget != 0 && bytes > budget) return std::optional<Plan>();
    return std::optional<Plan>(std::move(*frame));
}

} // namespace

Result<Plan> compile(GraphDesc graph, const DeviceCaps& caps, const CompileOptions& asked) {
    CompileOptions options = asked;
    if (options.layouts == LayoutMode::by_device)
        options.layouts = caps.unified_layouts ? LayoutMode::general : LayoutMode::optimal;
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
    const MemoryModel exact;
    const Setting setting{caps, options, options.memory ? *options.memory : exact};
    if (options.constant == ConstantWork::once) {
        ConstantPart part = find_constant_work(graph, dependencies, index, culled);
        if (!part.runs_once.empty()) {
            auto plan = compile_parts(graph, std::move(part), culled, setting);
            if (!plan) return propagate(std::move(plan));
            if (*plan) return *std::move(*plan);
        }
    }
    return compile_part(std::move(graph), index, dependencies, std::move(culled), setting);
}

} // namespace tuff
