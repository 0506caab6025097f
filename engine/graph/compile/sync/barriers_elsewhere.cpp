#include "graph/compile/sync/barriers_elsewhere.hpp"

#include <algorithm>
#include <utility>

namespace tuff {

void place_releases(std::vector<Elsewhere> releases, Synchronization& sync) {
    std::ranges::stable_sort(releases, {}, &Elsewhere::set_after);
    for (const Elsewhere& release : releases) {
        Level& level = sync.levels[release.set_after];
        if (level.release_count++ == 0)
            level.first_release = static_cast<std::uint32_t>(sync.image_barriers.size());
        sync.image_barriers.push_back(release.image);
    }
}

void place_splits(std::vector<Elsewhere> splits, Synchronization& sync) {
    const auto place = [](const Elsewhere& e) { return std::pair(e.wait_before, e.set_after); };
    std::ranges::stable_sort(splits, {}, place);
    for (std::size_t i = 0; i < splits.size();) {
        const std::size_t first_reason = sync.reasons.size();
        const std::size_t first_image_barrier = sync.image_barriers.size();
        Elsewhere global;
        const auto key = place(splits[i]);
        for (; i < splits.size() && place(splits[i]) == key; ++i) {
            const Elsewhere& part = splits[i];
            const std::uint32_t reason = add_reason(sync, first_reason, part.reason);
            if (part.image.resource) {
                sync.image_barriers.push_back(part.image);
                sync.image_barriers.back().reason = reason;
                continue;
            }
            global.source_stages |= part.source_stages;
            global.source_memory |= part.source_memory;
            global.stages |= part.stages;
            global.memory |= part.memory;
        }
        const auto count = [](std::size_t n) { return static_cast<std::uint32_t>(n); };
        sync.split_barriers.push_back(
            {.set_after = key.second,
             .wait_before = key.first,
             .memory = {wide_stages(global.source_stages), wide_memory(global.source_memory),
                        wide_stages(global.stages), wide_memory(global.memory)},
             .first_image_barrier = count(first_image_barrier),
             .image_barrier_count = count(sync.image_barriers.size() - first_image_barrier),
             .first_reason = count(first_reason),
             .reason_count = count(sync.reasons.size() - first_reason)});
    }
}

} // namespace tuff
