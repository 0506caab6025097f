#include "graph/stages.hpp"

#include <algorithm>

namespace tuff {
namespace {

/// Sorts `values` by `group_of(value)` with two passes, keeping the order within a group.
template <typename T, typename GroupOf>
Grouped<T> group(std::size_t groups, std::span<const T> values, GroupOf group_of) {
    Grouped<T> result;
    result.starts.assign(groups + 1, 0);
    for (const T& value : values)
        if (const std::uint32_t g = group_of(value); g != ~0u) ++result.starts[g + 1];
    for (std::size_t g = 0; g < groups; ++g)
        result.starts[g + 1] += result.starts[g];
    std::vector<std::uint32_t> next(result.starts.begin(), result.starts.end() - 1);
    result.items.resize(result.starts.back());
    for (const T& value : values)
        if (const std::uint32_t g = group_of(value); g != ~0u) result.items[next[g]++] = value;
    return result;
}

Grouped<VersionId> version_chains(const GraphDesc& graph) {
    Grouped<VersionId> chains;
    std::vector<VersionId> first(graph.resources.size());
    for (std::uint32_t v = 0; v < graph.versions.size(); ++v)
        if (!graph.versions[v].previous) first[graph.versions[v].resource.index] = {v};
    chains.starts.push_back(0);
    for (VersionId version : first) {
        for (; version; version = graph.versions[version.index].next)
            chains.items.push_back(version);
        chains.starts.push_back(static_cast<std::uint32_t>(chains.items.size()));
    }
    return chains;
}

} // namespace

AccessIndex index_accesses(const GraphDesc& graph, std::span<const CullReason> culled) {
    AccessIndex index;
    index.node_of.assign(graph.accesses.size(), NodeId{});
    std::vector<std::uint32_t> live; // accesses that belong to a node; moved ones leave holes
    live.reserve(graph.accesses.size());
    for (std::uint32_t n = 0; n < graph.nodes.size(); ++n) {
        if (!culled.empty() && culled[n] != CullReason::none) continue;
        for (std::uint32_t a = 0; a < graph.nodes[n].access_count; ++a) {
            const std::uint32_t access = graph.nodes[n].first_access + a;
            index.node_of[access] = {n};
            live.push_back(access);
        }
    }
    const std::span<const std::uint32_t> all(live);
    index.readers = group(graph.versions.size(), all, [&](std::uint32_t a) {
        return graph.accesses[a].written ? ~0u : graph.accesses[a].read.index;
    });
    index.writers = group(graph.versions.size(), all,
                          [&](std::uint32_t a) { return graph.accesses[a].written.index; });
    index.chains = version_chains(graph);
    return index;
}

Segments::Segments(const ResourceDesc& resource, std::span<const Range> uses)
    : is_image_(resource.is_image()) {
    const Range all = tuff::whole(resource);
    const bool partial = std::ranges::any_of(uses, [&](const Range& use) { return !(use == all); });
    outer_ = {0, is_image_ ? all.mips : all.size};
    inner_ = {0, is_image_ ? all.layers : 1};
    if (!partial) return;
    for (const Range& use : uses) {
        if (is_image_) {
            outer_.insert(outer_.end(), {use.mip, std::uint64_t{use.mip} + use.mips});
            inner_.insert(inner_.end(), {use.layer, std::uint64_t{use.layer} + use.layers});
        } else {
            outer_.insert(outer_.end(), {use.offset, use.offset + use.size});
        }
    }
    for (auto* cuts : {&outer_, &inner_}) {
        std::ranges::sort(*cuts);
        cuts->erase(std::unique(cuts->begin(), cuts->end()), cuts->end());
    }
    count_ = static_cast<std::uint32_t>((outer_.size() - 1) * (inner_.size() - 1));
}

Range Segments::range(std::uint32_t segment) const {
    const std::size_t columns = inner_.size() - 1;
    const std::size_t row = segment / columns;
    const std::size_t column = segment % columns;
    if (!is_image_) return {0, 0, 0, 0, outer_[row], outer_[row + 1] - outer_[row]};
    return {static_cast<std::uint32_t>(outer_[row]),
            static_cast<std::uint32_t>(outer_[row + 1] - outer_[row]),
            static_cast<std::uint32_t>(inner_[column]),
            static_cast<std::uint32_t>(inner_[column + 1] - inner_[column]),
            0,
            0};
}

} // namespace tuff
