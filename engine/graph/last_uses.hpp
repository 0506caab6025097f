#pragma once

#include "graph/stages.hpp"

#include <span>
#include <vector>

namespace tuff {

/// What the next user of a resource's memory waits for: the last reads, and writes that nothing has
/// read since.
struct LastUses {
    StageMask readers = 0;
    StageMask writers = 0;
    MemoryMask written = 0;

    void join(const LastUses& other) {
        readers |= other.readers;
        writers |= other.writers;
        written |= other.written;
    }
};

/// Who had the bytes of a transient resource before it, in this execution or the one before.
struct FormerTenants {
    LastUses uses;
    ResourceId nearest; ///< of this execution, if any
};
/// Those of every resource. `last_uses` is per resource.
std::vector<FormerTenants> former_tenants(const GraphDesc& graph, const Memory& memory,
                                          std::span<const LastUses> last_uses);

} // namespace tuff
