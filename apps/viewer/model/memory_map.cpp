#include "model/memory_map.hpp"

#include <algorithm>

namespace tuff::viewer {

MemoryMap memory_map_of(const Plan& plan) {
    MemoryMap map;
    map.levels = static_cast<std::uint32_t>(plan.levels.size());
    map.alive.resize(map.levels);
    for (const MemoryBlock& block : plan.blocks) {
        map.block_starts.push_back(map.bytes);
        map.bytes += block.size;
    }
    for (std::uint32_t r = 0; r < plan.allocations.size(); ++r) {
        const Allocation& at = plan.allocations[r];
        if (at.block >= plan.blocks.size()) continue;
        map.boxes.push_back({.resource = ResourceId{r},
                             .first_level = at.first_level,
                             .last_level = at.last_level,
                             .first_byte = map.block_starts[at.block] + at.offset,
                             .bytes = at.size});
        for (std::uint32_t l = at.first_level; l <= at.last_level && l < map.levels; ++l)
            map.alive[l] += at.size;
    }
    // Neighbours in order of bytes, so that each box looks only at those that can overlap it.
    std::ranges::sort(map.boxes, {}, &MemoryBox::first_byte);
    for (std::size_t a = 0; a < map.boxes.size(); ++a)
        for (std::size_t b = a + 1;
             b < map.boxes.size() &&
             map.boxes[b].first_byte < map.boxes[a].first_byte + map.boxes[a].bytes;
             ++b) {
            ++map.boxes[a].neighbours;
            ++map.boxes[b].neighbours;
        }
    return map;
}

} // namespace tuff::viewer
