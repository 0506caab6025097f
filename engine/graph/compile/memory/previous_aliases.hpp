#pragma once

#include "graph/compile/memory/last_uses.hpp"

#include <span>
#include <vector>

namespace tuff {

/// Who had the bytes of a transient resource before it, in this execution or the one before.
struct PreviousAliases {
    LastUses uses;
    ResourceId nearest; ///< of this execution, if any
    ResourceId sole;    ///< who had all the bytes in this execution, and no others
};
/// Those of every resource. `last_uses` is per resource.
std::vector<PreviousAliases> previous_aliases(const GraphDesc& graph, const Memory& memory,
                                              std::span<const LastUses> last_uses);

/// Per resource: the one whose image it goes on in, which is alike in every respect and had the
/// same bytes just before. Empty: none does.
std::vector<ResourceId> former_objects(const GraphDesc& graph, const AccessIndex& index,
                                       const Memory& memory, std::span<const UsageMask> usages,
                                       std::span<const Sharing> sharing,
                                       std::span<const PreviousAliases> aliases);

} // namespace tuff
