#include "graph/stages.hpp"

#include <algorithm>
#include <tuple>

namespace tuff {

void reuse_objects(Memory& memory, const GraphDesc& graph, const AccessIndex& index,
                   std::span<const UsageMask> usages, std::span<const Sharing> sharing) {
    struct Tenant {
        std::uint64_t offset;
        std::uint32_t block;
        std::uint32_t first_level;
        std::uint32_t resource;
        bool operator<(const Tenant& other) const {
            return std::tie(block, offset, first_level) <
                   std::tie(other.block, other.offset, other.first_level);
        }
    };
    std::vector<Tenant> tenants;
    tenants.reserve(memory.allocations.size());
    for (std::uint32_t r = 0; r < memory.allocations.size(); ++r) {
        const Allocation& place = memory.allocations[r];
        // Parts of an image may be left in layouts of their own.
        if (place.block != ~0u && graph.resources[r].is_image() && index.segments.count({r}) == 1)
            tenants.push_back({place.offset, place.block, place.first_level, r});
    }
    std::ranges::sort(tenants, std::less<>());
    for (std::size_t i = 1; i < tenants.size(); ++i) {
        const Tenant& former = tenants[i - 1];
        const Tenant& next = tenants[i];
        const std::uint32_t a = former.resource;
        const std::uint32_t b = next.resource;
        const bool alike = former.block == next.block && former.offset == next.offset &&
                           usages[a] == usages[b] && sharing[a] == sharing[b] &&
                           graph.resources[a].desc == graph.resources[b].desc;
        if (!alike) continue;
        if (memory.former_objects.empty()) memory.former_objects.resize(graph.resources.size());
        memory.former_objects[b] = {a};
        memory.allocations[b].object = memory.allocations[a].object;
    }
}

} // namespace tuff
