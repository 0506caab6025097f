#pragma once

#include "graph/compile/stages.hpp"
#include "graph/compile/sync/scope_bits.hpp"

#include <vector>

namespace tuff {

/// What accesses ask for, and where several of them ask as one.
///
/// Readers of the same contents agree on one layout, `general` where they would differ, so that no
/// transition ever separates two reads, and one barrier before the first serves them all. Nodes
/// that accumulate into one version share a barrier in the same way.
struct SharedScopes {
    std::vector<ScopeBits> own;          ///< per access
    std::vector<ScopeBits> readers;      ///< per version: all its readers, joined
    std::vector<ScopeBits> accumulators; ///< per version: all that accumulate into it, joined
    /// Per history group: the readers of all earlier ages. Copies rotate, so they rest in one
    /// layout between executions: that of these readers, since reading is what they are for.
    std::vector<ScopeBits> history_readers;
    std::vector<bool> history_read_whole; ///< per history group: in one access
};
SharedScopes share_scopes(const GraphDesc& graph, const AccessIndex& index, bool general_layouts);

/// Whatever uses an output comes after the execution; of a shader's access no more is known.
ScopeBits output_scope(const GraphDesc& graph, const OutputDesc& output);

} // namespace tuff
