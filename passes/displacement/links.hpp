#pragma once

#include <cstdint>
#include <vector>

namespace tuff::passes {

/// The traversal order of a complete quad tree. For each node: the first child in the lower 16
/// bits, where to go if the ray hits the node's box; in the upper bits the next node after the
/// node's subtree. Nodes are numbered level by level, in a level row by row; kNoLink ends the
/// traversal.
inline constexpr std::uint32_t kNoLink = 0xffff;
std::vector<std::uint32_t> quad_tree_links(std::uint32_t finest);

/// Number of nodes of all levels up to `finest`.
constexpr std::uint32_t quad_tree_nodes(std::uint32_t finest) {
    return ((std::uint32_t{1} << 2 * (finest + 1)) - 1) / 3;
}

} // namespace tuff::passes
