#pragma once

#include <compare>
#include <cstdint>

/// Nodes of octrees as keys of one word, for volumes: the code of quadtrees with a third axis.
/// shaders/terrain/octree_key.glsl has the same functions. Source: Dupuy, Iehl and Poulin,
/// "Quadtrees on the GPU", GPU Pro 5, 2014, which names the extension.
namespace tuff::passes {

inline constexpr std::uint32_t kMaxOctreeLevel = 9;

/// A node: one of 2^level cells a side of the unit cube.
struct OctreeNode {
    std::uint32_t level = 0;
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    std::uint32_t z = 0;
    friend auto operator<=>(const OctreeNode&, const OctreeNode&) = default;
};

/// The bits of a number below 2^9, with two zeros between neighbours.
constexpr std::uint32_t spread_in_threes(std::uint32_t v) {
    v = (v | v << 16) & 0x010000ffu;
    v = (v | v << 8) & 0x0100f00fu;
    v = (v | v << 4) & 0x010c30c3u;
    return (v | v << 2) & 0x01249249u;
}

/// Every third bit of a code of 27 bits.
constexpr std::uint32_t every_third_bit(std::uint32_t v) {
    v &= 0x01249249u;
    v = (v | v >> 2) & 0x010c30c3u;
    v = (v | v >> 4) & 0x0100f00fu;
    v = (v | v >> 8) & 0x010000ffu;
    return (v | v >> 16) & 0x1ffu;
}

/// 4 bits of level, 27 of Morton code: bit 3 i of the code is bit i of x, the two above it those of
/// y and z.
constexpr std::uint32_t octree_key(const OctreeNode& node) {
    const std::uint32_t code =
        spread_in_threes(node.x) | spread_in_threes(node.y) << 1 | spread_in_threes(node.z) << 2;
    return node.level | code << 4;
}
constexpr OctreeNode octree_node(std::uint32_t key) {
    const std::uint32_t code = key >> 4;
    return {key & 15, every_third_bit(code), every_third_bit(code >> 1),
            every_third_bit(code >> 2)};
}

/// Uses only the keys. Octants: bit 0 is +x, bit 1 +y, bit 2 +z.
constexpr std::uint32_t octant_of(std::uint32_t key) {
    return key >> 4 & 7;
}
/// For levels above the deepest one.
constexpr std::uint32_t octree_child(std::uint32_t key, std::uint32_t octant) {
    return ((key & 15) + 1) | (key >> 4 << 3 | octant) << 4;
}
/// The root is its own parent.
constexpr std::uint32_t octree_parent(std::uint32_t key) {
    return (key & 15) == 0 ? key : ((key & 15) - 1) | key >> 7 << 4;
}

} // namespace tuff::passes
