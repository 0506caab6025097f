#include "graph/last_uses.hpp"

namespace tuff {
namespace {

class Finder {
  public:
    Finder(const GraphDesc& graph, const Order& order, const AccessIndex& index,
           const SharedScopes& scopes)
        : graph_(graph), order_(order), index_(index), scopes_(scopes) {}
    std::vector<LastUses> run() const;

  private:
    LastUses last_uses_of_whole(ResourceId resource) const;
    LastUses last_uses_of_parts(ResourceId resource) const;
    LastUses with_host(ResourceId resource, const LastUses& uses) const;

    const GraphDesc& graph_;
    const Order& order_;
    const AccessIndex& index_;
    const SharedScopes& scopes_;
};

/// Of a resource that is only used whole, the newest contents tell.
LastUses Finder::last_uses_of_whole(ResourceId resource) const {
    const std::span<const VersionId> chain = index_.chains[resource.index];
    LastUses uses;
    for (std::size_t i = chain.size(); i-- > 0;) {
        const VersionId version = chain[i];
        for (const std::uint32_t a : index_.readers[version.index])
            uses.readers |= scopes_.own[a].stages;
        for (const std::uint32_t a : index_.writers[version.index]) {
            const ScopeBits& scope = graph_.accesses[a].access == Access::accumulate
                                         ? scopes_.accumulators[version.index]
                                         : scopes_.own[a];
            uses.writers = scope.stages;
            uses.written = scope.memory & kWriteBits;
        }
        if (uses.writers != 0) break; // what was before has been waited for
    }
    return uses;
}

LastUses Finder::last_uses_of_parts(ResourceId resource) const {
    std::vector<LastUses> parts(index_.segments.count(resource));
    const std::uint32_t first = index_.segments.starts[resource.index];
    for (const VersionId version : index_.chains[resource.index]) {
        for (const std::uint32_t a : index_.writers[version.index]) {
            const ScopeBits& scope = graph_.accesses[a].access == Access::accumulate
                                         ? scopes_.accumulators[version.index]
                                         : scopes_.own[a];
            index_.segments.for_each(resource, graph_.accesses[a].range, [&](std::uint32_t s) {
                parts[s - first] = {.writers = scope.stages, .written = scope.memory & kWriteBits};
            });
        }
        for (const std::uint32_t a : index_.readers[version.index])
            index_.segments.for_each(resource, graph_.accesses[a].range, [&](std::uint32_t s) {
                parts[s - first].readers |= scopes_.own[a].stages;
            });
    }
    LastUses uses;
    for (const LastUses& part : parts)
        uses.join(with_host(resource, part));
    return uses;
}

/// Adds that the host may come to read, or may not.
LastUses Finder::with_host(ResourceId resource, const LastUses& uses) const {
    StageBits host = 0;
    bool presents = false;
    for (const VersionId version : index_.chains[resource.index])
        for (const std::uint32_t o : index_.outputs[version.index]) {
            host |= output_scope(graph_, graph_.outputs[o]).stages;
            presents = presents || graph_.outputs[o].access == Access::present;
        }
    if (uses.readers == 0 && host == 0) return uses;
    return {.readers = uses.readers | host, .unread = host != 0 && (uses.readers == 0 || presents)};
}

std::vector<LastUses> Finder::run() const {
    std::vector<LastUses> last_uses;
    last_uses.reserve(graph_.resources.size());
    for (std::uint32_t r = 0; r < graph_.resources.size(); ++r)
        last_uses.push_back(index_.segments.count({r}) == 1
                                ? with_host({r}, last_uses_of_whole({r}))
                                : last_uses_of_parts({r}));
    for (std::uint32_t a = 0; a < graph_.accesses.size(); ++a) {
        const NodeId node = index_.node_of[a];
        if (!node) continue;
        const std::uint32_t level = order_.level_of[node.index];
        const VersionId version = graph_.accesses[a].read;
        LastUses& uses = last_uses[graph_.versions[version.index].resource.index];
        std::uint32_t& last = uses.moments[static_cast<std::size_t>(order_.queue_of(level))];
        last = std::max(last, level + 1);
    }
    return last_uses;
}

} // namespace

std::vector<LastUses> find_last_uses(const GraphDesc& graph, const Order& order,
                                     const AccessIndex& index, const SharedScopes& scopes) {
    return Finder(graph, order, index, scopes).run();
}

} // namespace tuff
