#include "graph/last_uses.hpp"

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

/// Takes `taken` out of `open` and tells whether there was anything to take.
bool take(std::vector<Bytes>& open, const Bytes& taken) {
    std::vector<Bytes> rest;
    bool found = false;
    for (const Bytes& bytes : open) {
        if (bytes.begin >= taken.end || taken.begin >= bytes.end) {
            rest.push_back(bytes);
            continue;
        }
        found = true;
        if (bytes.begin < taken.begin) rest.push_back({bytes.begin, taken.begin});
        if (taken.end < bytes.end) rest.push_back({taken.end, bytes.end});
    }
    if (found) open = std::move(rest);
    return found;
}

struct Tenant {
    std::uint32_t distance; ///< in levels, back from the first use
    std::uint32_t resource;
    friend auto operator<=>(const Tenant&, const Tenant&) = default;
};

} // namespace

/// Going back in time, round into the execution before, each byte asks for its nearest tenant only:
/// that one has waited for those before it.
FormerTenants former_tenants(const Memory& memory, std::span<const LastUses> last_uses,
                             ResourceId resource, std::uint32_t levels) {
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
        if (!take(open, bytes_of(other))) continue;
        result.uses.join(last_uses[nearest]);
        if (!result.nearest && other.last_level < mine.first_level) result.nearest = {nearest};
    }
    return result;
}

} // namespace tuff
