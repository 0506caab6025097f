#include "graph/compile/memory/last_uses.hpp"

namespace tuff {
namespace {

class Finder {
  public:
    Finder(const GraphDesc& graph, const Order& order, const AccessIndex& index,
           const Memory& memory, const SharedScopes& scopes)
        : graph_(graph), order_(order), index_(index), memory_(memory), scopes_(scopes) {}
    std::vector<LastUses> run() const;

  private:
    LastUses last_uses_of_whole(ResourceId resource) const;
    LastUses last_uses_of_parts(ResourceId resource) const;
    /// The host may come to read, or may not.
    struct HostReads {
        StageBits stages = 0;
        bool presents = false;
    };
    HostReads host_reads(ResourceId resource) const;
    LastUses with_host(ResourceId resource, const LastUses& uses) const;
    std::uint32_t last_write(ResourceId resource) const;
    void end_with_life(LastUses& uses, ResourceId resource) const;
    void find_moments(std::vector<LastUses>& last_uses) const;
    /// Of the accesses alone, without outputs.
    StageBits readers_of(VersionId version) const {
        if (graph_.outputs.empty() || index_.outputs[version.index].empty())
            return scopes_.readers[version.index].stages;
        StageBits stages = 0;
        for (const std::uint32_t a : index_.readers[version.index])
            stages |= scopes_.own[a].stages;
        return stages;
    }
    ScopeBits scope_of_write(std::uint32_t access) const {
        const AccessDesc& desc = graph_.accesses[access];
        return desc.access == Access::accumulate ? scopes_.accumulators[desc.written.index]
                                                 : scopes_.own[access];
    }

    const GraphDesc& graph_;
    const Order& order_;
    const AccessIndex& index_;
    const Memory& memory_;
    const SharedScopes& scopes_;
};

Finder::HostReads Finder::host_reads(ResourceId resource) const {
    HostReads host;
    for (const VersionId version : index_.chains[resource.index])
        for (const std::uint32_t o : index_.outputs[version.index]) {
            host.stages |= output_scope(graph_, graph_.outputs[o]).stages;
            host.presents = host.presents || graph_.outputs[o].access == Access::present;
        }
    return host;
}

inline LastUses Finder::with_host(ResourceId resource, const LastUses& uses) const {
    const HostReads host = graph_.outputs.empty() ? HostReads{} : host_reads(resource);
    if (uses.readers == 0 && host.stages == 0) return uses;
    const bool is_image = graph_.resources[resource.index].is_image();
    return {.readers = uses.readers | host.stages,
            .unread = host.stages != 0 && (uses.readers == 0 || host.presents),
            .read_writers = uses.writers,
            .read_writes = is_image ? kWriteBits : uses.written};
}

/// Of a resource that is only used whole, the newest contents tell.
LastUses Finder::last_uses_of_whole(ResourceId resource) const {
    const std::span<const VersionId> chain = index_.chains[resource.index];
    LastUses uses;
    for (std::size_t i = chain.size(); i-- > 0;) {
        const VersionId version = chain[i];
        uses.readers |= readers_of(version);
        const std::span<const std::uint32_t> writers = index_.writers[version.index];
        if (writers.empty()) continue;
        const ScopeBits scope = scope_of_write(writers.back());
        uses.writers = scope.stages;
        uses.written = scope.memory & kWriteBits;
        if (uses.writers != 0) break; // what was before has been waited for
    }
    return uses;
}

LastUses Finder::last_uses_of_parts(ResourceId resource) const {
    std::vector<LastUses> parts(index_.segments.count(resource));
    const std::uint32_t first = index_.segments.starts[resource.index];
    for (const VersionId version : index_.chains[resource.index]) {
        for (const std::uint32_t a : index_.writers[version.index]) {
            const ScopeBits scope = scope_of_write(a);
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

/// The level of the last write of a resource that is only used whole.
std::uint32_t Finder::last_write(ResourceId resource) const {
    const std::span<const VersionId> chain = index_.chains[resource.index];
    std::uint32_t last = 0;
    for (std::size_t i = chain.size(); i-- > 0;)
        for (const std::uint32_t a : index_.writers[chain[i].index])
            last = std::max(last, order_.level_of[index_.node_of[a].index]);
    return last;
}

/// On one queue the last of the uses ended the resource's life.
inline void Finder::end_with_life(LastUses& uses, ResourceId resource) const {
    const Allocation& place = memory_.allocations[resource.index];
    if (place.block == ~0u) return;
    const bool whole_buffer =
        !graph_.resources[resource.index].is_image() && index_.segments.count(resource) == 1;
    uses.points[0] = place.last_level + 1;
    uses.read_written_at = 1 + (whole_buffer ? last_write(resource) : place.last_level);
}

/// On several queues.
void Finder::find_moments(std::vector<LastUses>& last_uses) const {
    for (std::uint32_t a = 0; a < graph_.accesses.size(); ++a) {
        const NodeId node = index_.node_of[a];
        if (!node) continue;
        const std::uint32_t level = order_.level_of[node.index];
        LastUses& uses = last_uses[index_.resource_of[a].index];
        std::uint32_t& last = uses.points[static_cast<std::size_t>(order_.queue_of(level))];
        last = std::max(last, level + 1);
    }
}

std::vector<LastUses> Finder::run() const {
    const auto resources = static_cast<std::uint32_t>(graph_.resources.size());
    const bool one_queue = order_.queues.empty();
    std::vector<LastUses> last_uses;
    last_uses.reserve(resources);
    for (std::uint32_t r = 0; r < resources; ++r) {
        LastUses& uses = last_uses.emplace_back(index_.segments.count({r}) == 1
                                                    ? with_host({r}, last_uses_of_whole({r}))
                                                    : last_uses_of_parts({r}));
        if (one_queue) end_with_life(uses, {r});
    }
    if (!one_queue) find_moments(last_uses);
    return last_uses;
}

} // namespace

std::vector<LastUses> find_last_uses(const GraphDesc& graph, const Order& order,
                                     const AccessIndex& index, const Memory& memory,
                                     const SharedScopes& scopes) {
    return Finder(graph, order, index, memory, scopes).run();
}

} // namespace tuff
