#include "graph/compile/access_facts.hpp"
#include "graph/compile/stages.hpp"

#include <algorithm>

namespace tuff {

std::vector<LiveRange> lifetimes(const GraphDesc& graph, const Order& order,
                                 const AccessIndex& index) {
    std::vector<LiveRange> live_ranges(graph.resources.size());
    const auto extend = [&](ResourceId resource, std::uint32_t level) {
        LiveRange& life = live_ranges[resource.index];
        life = {std::min(life.first, level), std::max(life.last, level)};
    };
    for (std::uint32_t a = 0; a < graph.accesses.size(); ++a) {
        const NodeId node = index.node_of[a];
        if (!node || order.level_of[node.index] == ~0u) continue;
        extend(index.resource_of[a], order.level_of[node.index]);
    }
    for (const OutputDesc& output : graph.outputs)
        extend(graph.versions[output.version.index].resource, order.level_count);
    return live_ranges;
}

std::vector<UsageMask> join_usages(const GraphDesc& graph, const Order& order,
                                   const AccessIndex& index) {
    std::vector<UsageMask> usages(graph.resources.size(), 0);
    for (std::uint32_t a = 0; a < graph.accesses.size(); ++a) {
        const NodeId node = index.node_of[a];
        if (!node || order.level_of[node.index] == ~0u) continue;
        usages[index.resource_of[a].index] |= facts_of(graph.accesses[a].access).usage;
    }
    for (const OutputDesc& output : graph.outputs)
        usages[graph.versions[output.version.index].resource.index] |=
            usage_of(output.access) | usage::kTransferSource; // `Executor::read_image` copies it
    // Contents of constants, and what histories hold before the first execution, arrive by
    // transfer. The copies of one history rotate, so they are created alike.
    std::vector<UsageMask> of_group; ///< per history group
    for (const auto [r] : index.lasting) {
        const ResourceDesc& resource = graph.resources[r];
        if (resource.lifetime == Lifetime::constant && usages[r] != 0)
            usages[r] |= usage::kTransferDestination;
        if (resource.lifetime != Lifetime::history) continue;
        of_group.resize(graph.resources.size(), 0);
        of_group[resource.history_group] |= usages[r];
    }
    for (const auto [r] : index.lasting) {
        const ResourceDesc& resource = graph.resources[r];
        if (resource.lifetime == Lifetime::history && of_group[resource.history_group] != 0)
            usages[r] = of_group[resource.history_group] | usage::kTransferDestination;
    }
    return usages;
}

} // namespace tuff
