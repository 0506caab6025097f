#pragma once

#include "passes/sparse/store.hpp"

namespace tuff::passes {

/// Two words, the weight and the number of the last of the claims that get a slot where not all do.
/// The claims have weights.
Buffer eviction_cut(Graph& graph, const SparseClaims& claims);

} // namespace tuff::passes
