#pragma once

#include <cstdint>
#include <vector>

namespace tuff::passes {

/// Where rays go from each node of a complete quad tree: the first child in the lower 16 bits (for
/// where the node's box is hit), in the upper ones what comes after the node and all below it.
/// Nodes are numbered level by level, those of a level row by row; kNoLink ends.
inline constexpr std::uint32_t kNoLink = 0xffff;
std::vector<std::uint32_t> quad_tree_links(std::uint32_t finest);

/// Nodes of all levels up to `finest`.
constexpr std::uint32_t quad_tree_nodes(std::uint32_t finest) {
    return ((std::uint32_t{1} << 2 * (finest + 1)) - 1) / 3;
}

} // namespace tuff::passes
