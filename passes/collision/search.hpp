#pragma once

#include "passes/collision/pairs.hpp"

namespace tuff::passes {

/// Most pairs of any kind: they are counted in bytes.
inline constexpr std::uint32_t kMaxCollisionRoom = 1u << 27;

/// Adds the nodes of a search, whose inputs are sound, and sets its outputs.
void search_collisions(Graph& graph, CollisionPairs& pass);

} // namespace tuff::passes
