#pragma once

#include <array>
#include <cstdint>

/// Nodes of quadtrees and their keys: shaders/terrain/key.glsl has the same functions.
namespace tuff::passes {

/// Whether a key is one word, for levels 0 to 14, or two, for levels 0 to 28 of up to eight trees.
/// Kernels take the number of words.
enum class TreeKeys : std::uint8_t { narrow, wide };

inline constexpr std::uint32_t kMaxNarrowLevel = 14;
inline constexpr std::uint32_t kMaxWideLevel = 28;

/// A node: one of 2^level x 2^level cells of the unit square.
struct TreeNode {
    std::uint32_t level = 0;
    std::uint32_t face = 0; ///< index of its tree
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    friend auto operator<=>(const TreeNode&, const TreeNode&) = default;
};

/// x in the even bits, y in the odd ones.
constexpr std::uint64_t morton_code(std::uint32_t x, std::uint32_t y) {
    const auto spread = [](std::uint64_t v) {
        v = (v | v << 16) & 0x0000ffff0000ffffull;
        v = (v | v << 8) & 0x00ff00ff00ff00ffull;
        v = (v | v << 4) & 0x0f0f0f0f0f0f0f0full;
        v = (v | v << 2) & 0x3333333333333333ull;
        return (v | v << 1) & 0x5555555555555555ull;
    };
    return spread(x) | spread(y) << 1;
}

/// The even bits of a code.
constexpr std::uint32_t even_bits(std::uint64_t v) {
    v &= 0x5555555555555555ull;
    v = (v | v >> 1) & 0x3333333333333333ull;
    v = (v | v >> 2) & 0x0f0f0f0f0f0f0f0full;
    v = (v | v >> 4) & 0x00ff00ff00ff00ffull;
    v = (v | v >> 8) & 0x0000ffff0000ffffull;
    return static_cast<std::uint32_t>(v | v >> 16);
}

/// Levels 0 to 14, face 0.
constexpr std::uint32_t narrow_key(const TreeNode& node) {
    return node.level | static_cast<std::uint32_t>(morton_code(node.x, node.y) << 4);
}
constexpr TreeNode node_of_narrow(std::uint32_t key) {
    return {key & 15u, 0, even_bits(key >> 4), even_bits(key >> 5)};
}

/// Levels 0 to 28, faces 0 to 7; lower word first in memory.
constexpr std::uint64_t wide_key(const TreeNode& node) {
    return node.level | node.face << 5 | morton_code(node.x, node.y) << 8;
}
constexpr TreeNode node_of_wide(std::uint64_t key) {
    return {static_cast<std::uint32_t>(key & 31), static_cast<std::uint32_t>(key >> 5 & 7),
            even_bits(key >> 8), even_bits(key >> 9)};
}

/// Bit 0 of the quadrant is +x, bit 1 is +y.
constexpr TreeNode child_of(const TreeNode& node, std::uint32_t quadrant) {
    return {node.level + 1, node.face, node.x * 2 + (quadrant & 1), node.y * 2 + (quadrant >> 1)};
}
/// The root is its own parent.
constexpr TreeNode parent_of(const TreeNode& node) {
    if (node.level == 0) return node;
    return {node.level - 1, node.face, node.x / 2, node.y / 2};
}
constexpr std::uint32_t quadrant_of(const TreeNode& node) {
    return node.level == 0 ? 0 : (node.x & 1) | (node.y & 1) << 1;
}

} // namespace tuff::passes
