#include "graph/last_uses.hpp"

#include "graph/ranges.hpp"

#include <algorithm>
#include <functional>

namespace tuff {
namespace {

struct Bytes {
    std::uint64_t begin;
    std::uint64_t end;
};
Bytes bytes_of(const Allocation& allocation) {
    return {allocation.offset, allocation.offset + allocation.size};
}

/// The bytes in which a tenant stands between its successor and its predecessors. A driver may ask
/// for more memory than the texels of one sample fill; validation layers see no barrier in what is
/// beyond them, and a wait too many there costs little.
Bytes filled_by(const ResourceDesc& resource, const Allocation& allocation) {
    const std::uint64_t filled = resource.is_image()
                                     ? packed_bytes(resource.image()) / resource.image().samples
                                     : resource.buffer().size;
    return {allocation.offset, allocation.offset + std::min(filled, allocation.size)};
}

bool overlaps(std::span<const Bytes> open, const Bytes& taken) {
    return std::ranges::any_of(
        open, [&](const Bytes& b) { return b.begin < taken.end && taken.begin < b.end; });
}

void take(std::vector<Bytes>& open, const Bytes& taken) {
    std::vector<Bytes> rest;
    for (const Bytes& bytes : open) {
        if (bytes.begin < taken.begin)
            rest.push_back({bytes.begin, std::min(bytes.end, taken.begin)});
        if (taken.end < bytes.end) rest.push_back({std::max(bytes.begin, taken.end), bytes.end});
    }
    open = std::move(rest);
}

struct Tenant {
    std::uint32_t distance; ///< in levels, back from the first use
    std::uint32_t resource;
    friend auto operator<=>(const Tenant&, const Tenant&) = default;
};

} // namespace

/// Going back in time, round into the execution before, each byte asks for its nearest tenant only:
/// that one has waited for those before it.
FormerTenants former_tenants(const GraphDesc& graph, const Memory& memory,
                             std::span<const LastUses> last_uses, ResourceId resource,
                             std::uint32_t levels) {
    FormerTenants result;
    const Allocation& mine = memory.allocations[resource.index];
    if (mine.block == ~0u) return result;
    std::vector<Tenant> tenants;
    for (std::uint32_t r = 0; r < memory.allocations.size(); ++r) {
        const Allocation& other = memory.allocations[r];
        if (other.block != mine.block || other.offset >= mine.offset + mine.size ||
            mine.offset >= other.offset + other.size)
            continue;
        const std::uint32_t round = other.last_level < mine.first_level ? 0 : levels;
        tenants.push_back({round + mine.first_level - other.last_level, r});
    }
    // One or two tenants cover most resources: a heap spares sorting the others.
    std::ranges::make_heap(tenants, std::greater{});
    std::vector<Bytes> open = {bytes_of(mine)};
    while (!tenants.empty() && !open.empty()) {
        std::ranges::pop_heap(tenants, std::greater{});
        const std::uint32_t nearest = tenants.back().resource;
        tenants.pop_back();
        const Allocation& other = memory.allocations[nearest];
        if (!overlaps(open, bytes_of(other))) continue;
        take(open, filled_by(graph.resources[nearest], other));
        result.uses.join(last_uses[nearest]);
        if (!result.nearest && other.last_level < mine.first_level) result.nearest = {nearest};
    }
    return result;
}

} // namespace tuff
