#pragma once

#include "passes/sparse/store.hpp"

namespace tuff::passes {

/// Two words, the weight and the index of the last claim that gets a slot if not all do. The claims
/// have weights.
Buffer eviction_cut(Graph& graph, const SparseClaims& claims);

} // namespace tuff::passes
