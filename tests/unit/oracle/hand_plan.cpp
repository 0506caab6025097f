#include "tests/unit/oracle/hand_plan.hpp"

#include <algorithm>

namespace tuff::test {

HandPlan::HandPlan(Graph source) : graph(std::move(source).finish()) {
    plan.graph = graph;
    const std::size_t resources = graph.resources.size();
    plan.culled.assign(graph.nodes.size(), CullReason::none);
    plan.usages.assign(resources, ~UsageMask{0});
    plan.sharing.assign(resources, Sharing::exclusive);
    plan.allocations.resize(resources);
    plan.boundaries.resize(resources);
    plan.reasons.resize(1);
    MemoryBlock block{.size = 0, .alignment = 256};
    const MemoryModel model;
    for (std::uint32_t r = 0; r < resources; ++r) {
        const ResourceDesc& resource = graph.resources[r];
        plan.boundaries[r] = {resource.import.first, resource.import.last};
        if (resource.is_image()) plan.boundaries[r].last.layout = Layout::general;
        plan.allocations[r].object = {r};
        if (resource.lifetime != Lifetime::transient) continue;
        const MemoryRequirements needs = resource.is_image()
                                             ? model.image(resource.image(), plan.usages[r])
                                             : model.buffer(resource.buffer(), plan.usages[r]);
        plan.allocations[r].block = 0;
        plan.allocations[r].offset = block.size;
        plan.allocations[r].size = needs.size;
        block.size += needs.size;
    }
    plan.blocks.push_back(block);
    for (const AccessDesc& access : graph.accesses)
        plan.access_layouts.push_back(
            graph.resource_of(access.read).is_image() ? Layout::general : Layout::undefined);
}

void HandPlan::submit(Queue queue, std::vector<std::uint32_t> waits) {
    plan.submissions.push_back({.queue = queue,
                                .first_wait = static_cast<std::uint32_t>(plan.waits.size()),
                                .wait_count = static_cast<std::uint32_t>(waits.size())});
    plan.waits.insert(plan.waits.end(), waits.begin(), waits.end());
}

std::uint32_t HandPlan::add(const std::vector<ImageBarrier>& barriers) {
    const auto first = static_cast<std::uint32_t>(plan.image_barriers.size());
    plan.image_barriers.insert(plan.image_barriers.end(), barriers.begin(), barriers.end());
    return first;
}

void HandPlan::level(const std::vector<std::string_view>& nodes, const Around& around) {
    level_in(static_cast<std::uint32_t>(plan.submissions.size() - 1), nodes, around);
}

void HandPlan::level_in(std::uint32_t to, const std::vector<std::string_view>& nodes,
                        const Around& around) {
    Level level{.first_node = static_cast<std::uint32_t>(plan.order.size()),
                .node_count = static_cast<std::uint32_t>(nodes.size()),
                .memory = around.memory,
                .queue = plan.submissions[to].queue,
                .submission = to};
    level.first_image_barrier = add(around.before);
    level.image_barrier_count = static_cast<std::uint32_t>(around.before.size());
    level.first_release = add(around.after);
    level.release_count = static_cast<std::uint32_t>(around.after.size());
    plan.levels.push_back(level);
    for (const std::string_view node : nodes)
        for (std::uint32_t n = 0; n < graph.nodes.size(); ++n)
            if (graph.name_of(NodeId{n}) == node) plan.order.push_back({n});
}

void HandPlan::end(const std::vector<ImageBarrier>& barriers) {
    plan.epilogue.first_node = static_cast<std::uint32_t>(plan.order.size());
    plan.epilogue.memory = kFull;
    plan.epilogue.first_image_barrier = add(barriers);
    plan.epilogue.image_barrier_count = static_cast<std::uint32_t>(barriers.size());
    plan.epilogue.submission = static_cast<std::uint32_t>(plan.submissions.size() - 1);
}

void HandPlan::place(std::string_view resource, std::string_view other) {
    plan.allocations[id(resource).index].offset = plan.allocations[id(other).index].offset;
}

void HandPlan::unite(std::string_view resource, std::string_view other) {
    place(resource, other);
    plan.allocations[id(resource).index].object = id(other);
}

ResourceId HandPlan::id(std::string_view resource) const {
    for (std::uint32_t r = 0; r < graph.resources.size(); ++r)
        if (graph.name_of(ResourceId{r}) == resource) return {r};
    return {};
}

ImageBarrier HandPlan::transfer(std::string_view image, Queue from, Queue to) const {
    const ImageDesc& desc = graph.resources[id(image).index].image();
    return {.resource = id(image),
            .range = {0, desc.mips, 0, desc.layers, 0, 0},
            .source_stages = stage::kAllCommands,
            .source_memory = kAnyAccess,
            .destination_stages = stage::kAllCommands,
            .destination_memory = kAnyAccess,
            .from = Layout::general,
            .to = Layout::general,
            .from_queue = from,
            .to_queue = to};
}

ImageBarrier HandPlan::first_use(std::string_view image, Queue queue) const {
    ImageBarrier barrier = transfer(image, queue, queue);
    barrier.from = Layout::undefined;
    return barrier;
}

std::optional<oracle::Fault> HandPlan::fault() const {
    const oracle::Violations violations = oracle::check(graph, plan);
    return violations.empty() ? std::nullopt : std::optional(violations.front().fault);
}

} // namespace tuff::test
