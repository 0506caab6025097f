#pragma once

#include <tuff/graph_desc.hpp>

namespace tuff {

/// What cannot be of the states in which the host hands an import over and wants it back: at most
/// one mistake for each of the two. Code: graph/import-state.
Diagnostics check_import(const GraphDesc& graph, const ResourceDesc& resource);

} // namespace tuff
