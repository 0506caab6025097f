#pragma once

#include "graph/compile/stages.hpp"
#include "graph/compile/sync/scope_bits.hpp"

#include <cstddef>
#include <vector>

namespace tuff {

/// A barrier that goes somewhere else than before the level at hand.
struct Elsewhere {
    std::uint32_t set_after = 0;   ///< level
    std::uint32_t wait_before = 0; ///< level; releases: none
    ImageBarrier image;            ///< no resource: a global one
    StageBits source_stages = 0;
    MemoryBits source_memory = 0;
    StageBits stages = 0;
    MemoryBits memory = 0;
    BarrierReason reason;
};

/// The index of `reason` among those of `sync`, where it is added unless it is there from `first`
/// on.
inline std::uint32_t add_reason(Synchronization& sync, std::size_t first,
                                const BarrierReason& reason) {
    const std::size_t count = sync.reasons.size();
    std::size_t index = first;
    for (; index < count; ++index) {
        const BarrierReason& r = sync.reasons[index];
        if (r.resource == reason.resource && r.hazard == reason.hazard &&
            r.before == reason.before && r.after == reason.after)
            break;
    }
    if (index == count) sync.reasons.push_back(reason);
    return static_cast<std::uint32_t>(index);
}

/// Puts the first halves of transfers of ownership after the levels they follow.
void place_releases(std::vector<Elsewhere> releases, Synchronization& sync);
/// Joins those between the same two levels into one SplitBarrier.
void place_splits(std::vector<Elsewhere> splits, Synchronization& sync);

} // namespace tuff
