#include "graph/compile/stages.hpp"

#include <algorithm>

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

/// Per version: a live node makes it, which of those that accumulate into one may be any.
std::vector<bool> versions_made(const GraphDesc& graph, std::span<const CullReason> culled) {
    std::vector<bool> made(graph.versions.size());
    for (std::uint32_t n = 0; n < graph.nodes.size(); ++n) {
        if (culled[n] != CullReason::none) continue;
        const NodeDesc& node = graph.nodes[n];
        for (std::uint32_t a = 0; a < node.access_count; ++a)
            if (const VersionId written = graph.accesses[node.first_access + a].written)
                made[written.index] = true;
    }
    return made;
}

} // namespace

std::vector<CullReason> cull(const GraphDesc& graph, const Dependencies& dependencies) {
    std::vector<CullReason> culled(graph.nodes.size(), CullReason::result_unused);
    for (const NodeId node : dependencies.output_producers.items)
        culled[node.index] = CullReason::none;
    // From the end on, so that nearly all producers are still to come.
    std::vector<NodeId> passed; ///< kept after their turn
    for (auto n = static_cast<std::uint32_t>(graph.nodes.size()); n-- > 0;) {
        const auto keep_producers = [&](NodeId node) {
            for (const NodeId producer : dependencies.producers[node.index]) {
                if (producer.index >= n && culled[producer.index] != CullReason::none)
                    passed.push_back(producer);
                culled[producer.index] = CullReason::none;
            }
        };
        if (culled[n] != CullReason::none && !has_lasting_effect(graph, graph.nodes[n])) continue;
        culled[n] = CullReason::none;
        keep_producers({n});
        while (!passed.empty()) {
            const NodeId node = passed.back();
            passed.pop_back();
            keep_producers(node);
        }
    }
    return culled;
}

// What would only have added to a status is culled: it is told as it was before. So each version
// that it has been is tried, from the last on, until one is made by live nodes alone.
bool add_status_outputs(GraphDesc& graph, std::span<const CullReason> culled) {
    if (graph.statuses.empty()) return false;
    const auto is_live = [&](NodeId node) { return culled[node.index] == CullReason::none; };
    const std::vector<bool> is_made = versions_made(graph, culled);
    const std::size_t asked_for = graph.outputs.size();
    for (OutputDesc status : graph.statuses) {
        if (graph.resource_of(status.version).lifetime != Lifetime::transient) continue;
        bool is_overwritten = false;
        VersionId later = graph.versions[status.version.index].next;
        for (; later && !is_overwritten; later = graph.versions[later.index].next)
            is_overwritten = is_made[later.index];
        for (; status.version && !is_overwritten;
             status.version = graph.versions[status.version.index].previous)
            graph.outputs.push_back(status);
    }
    const Dependencies dependencies = find_dependencies(graph, index_accesses(graph));
    std::vector<OutputDesc> told;
    ResourceId settled; // of the status that has been found, or cannot be
    for (std::size_t o = asked_for; o < graph.outputs.size(); ++o) {
        const VersionId version = graph.outputs[o].version;
        const ResourceId tried = graph.versions[version.index].resource;
        if (tried == settled) continue;
        const auto makers = dependencies.output_producers[o];
        const bool is_whole = !makers.empty() && std::ranges::all_of(makers, is_live);
        if (is_whole) told.push_back(graph.outputs[o]);
        // Where some of its makers are live, they have overwritten what was before.
        if (is_whole || is_made[version.index]) settled = tried;
    }
    graph.outputs.resize(asked_for);
    graph.outputs.insert(graph.outputs.end(), told.begin(), told.end());
    return !told.empty();
}

} // namespace tuff
