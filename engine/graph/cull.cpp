#include "graph/stages.hpp"

namespace tuff {
namespace {

/// The node's effect outlives the execution, whatever reads it inside.
bool has_lasting_effect(const GraphDesc& graph, const NodeDesc& node) {
    if (node.side_effect) return true;
    for (std::uint32_t a = 0; a < node.access_count; ++a) {
        const AccessDesc& access = graph.accesses[node.first_access + a];
        if (!access.written) continue;
        const Lifetime lifetime = graph.resource_of(access.written).lifetime;
        if (lifetime == Lifetime::imported || lifetime == Lifetime::history) return true;
    }
    return false;
}

} // namespace

std::vector<CullReason> cull(const GraphDesc& graph, const Dependencies& dependencies) {
    std::vector<CullReason> culled(graph.nodes.size(), CullReason::result_unused);
    std::vector<NodeId> pending;
    const auto keep = [&](NodeId node) {
        if (culled[node.index] == CullReason::none) return;
        culled[node.index] = CullReason::none;
        pending.push_back(node);
    };
    for (const NodeId node : dependencies.output_producers.items)
        keep(node);
    // From the end on, where the nodes are that others lead to.
    for (auto n = static_cast<std::uint32_t>(graph.nodes.size()); n-- > 0;) {
        if (culled[n] != CullReason::none && has_lasting_effect(graph, graph.nodes[n])) keep({n});
        while (!pending.empty()) {
            const NodeId node = pending.back();
            pending.pop_back();
            for (const NodeId producer : dependencies.producers[node.index])
                keep(producer);
        }
    }
    return culled;
}

bool add_status_outputs(GraphDesc& graph, std::span<const CullReason> culled) {
    const auto is_made = [&](VersionId version) {
        const NodeId writer = graph.versions[version.index].writer;
        return writer && culled[writer.index] == CullReason::none;
    };
    const std::size_t before = graph.outputs.size();
    for (OutputDesc status : graph.statuses) {
        bool is_overwritten = false;
        VersionId later = graph.versions[status.version.index].next;
        for (; later && !is_overwritten; later = graph.versions[later.index].next)
            is_overwritten = is_made(later);
        // What would only have added to the status is culled: it stays as it was before.
        while (status.version && !is_made(status.version))
            status.version = graph.versions[status.version.index].previous;
        if (is_overwritten || !status.version) continue;
        if (graph.resource_of(status.version).lifetime == Lifetime::transient)
            graph.outputs.push_back(status);
    }
    return graph.outputs.size() > before;
}

} // namespace tuff
