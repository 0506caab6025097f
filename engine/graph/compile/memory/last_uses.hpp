#pragma once

#include "graph/compile/stages.hpp"
#include "graph/compile/sync/shared_scopes.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace tuff {

/// What the next user of a resource's memory waits for: the last reads, and writes that nothing has
/// read since.
struct LastUses {
    StageBits readers = 0;
    StageBits writers = 0;
    MemoryBits written = 0;
    bool unread = false; ///< some readers are the host's, who may not come
    /// The writes that `readers` have read, where there are no others, and when the last of them
    /// was, as in `points`. Images count as written in every way: their last change of layout is
    /// one more write, of which nothing is known here.
    StageBits read_writers = 0;
    MemoryBits read_writes = 0;
    std::uint32_t read_written_at = 0;
    /// Per queue, when the last of them was (see Timelines); 0: before this execution, or never.
    std::array<std::uint32_t, kQueueCount> points{};

    void join(const LastUses& other) {
        readers |= other.readers;
        writers |= other.writers;
        written |= other.written;
        unread = unread || other.unread;
        read_writers |= other.read_writers;
        read_writes |= other.read_writes;
        read_written_at = std::max(read_written_at, other.read_written_at);
        for (std::size_t q = 0; q < kQueueCount; ++q)
            points[q] = std::max(points[q], other.points[q]);
    }
    /// As the execution after it sees them.
    LastUses long_ago() const {
        return {.readers = readers,
                .writers = writers,
                .written = written,
                .unread = unread,
                .read_writers = read_writers,
                .read_writes = read_writes};
    }
};

/// Those of every resource.
std::vector<LastUses> find_last_uses(const GraphDesc& graph, const Order& order,
                                     const AccessIndex& index, const Memory& memory,
                                     const SharedScopes& scopes);

} // namespace tuff
