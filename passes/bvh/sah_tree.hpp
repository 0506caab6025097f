#pragma once

#include <glm/vec3.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace tuff::passes {

/// A box, and what the sweep sorts by.
struct SahItem {
    glm::dvec3 low{0.0};
    glm::dvec3 high{0.0};
    std::uint32_t triangle = 0;
};

/// A binary tree with one item a leaf. Leaves are numbered from left to right, and a node has the
/// number of the last leaf of its left child, as those of bvh/lbvh_build. Children are references
/// as in bvh/bvh.glsl.
struct SahTree {
    struct Node {
        std::uint32_t left = 0;
        std::uint32_t right = 0;
        std::uint32_t parent = 0; ///< `BvhStatus::kNoNode`: none
        std::uint32_t leaves = 0; ///< below it
    };
    std::vector<Node> nodes;                 ///< one less than leaves
    std::vector<std::uint32_t> order;        ///< the triangle of each leaf
    std::vector<std::uint32_t> leaf_parents; ///< the node of each leaf
    std::uint32_t root = 0;                  ///< a reference; `BvhStatus::kNoNode`: none
};

/// Nodes on the longest path of a tree that rays go through by stack and by bit_trail: kMaxLevels
/// of bvh/traverse.glsl.
inline constexpr std::uint32_t kMaxBinaryLevels = 96;

/// The tree in which each node parts its items where the surface area heuristic finds it cheapest,
/// of all places along all axes, by the centroids of boxes. O(n log n) while splits take a share of
/// the items off. Where paths would grow beyond `kMaxBinaryLevels`, nodes part in halves. Equal
/// items give equal trees.
SahTree sah_tree(std::span<const SahItem> items);

} // namespace tuff::passes
