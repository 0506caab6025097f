#pragma once

#include "passes/terrain/key.hpp"

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>
#include <tuff/shared_struct.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tuff::passes {

/// What the kernels say of a tree; the words of `QuadTree::status`.
struct TreeStatus {
    std::uint32_t count = 0;   ///< leaves
    std::uint32_t refused = 0; ///< divisions for which there was no room
    std::uint32_t resets = 0;  ///< times that the tree began again, because it was broken
    std::uint32_t broken = 0;  ///< leaves beside which the tree had a hole or an overlap
    std::uint32_t deepest = 0; ///< level; not known where the tree is updated
    std::uint32_t total = 0;
    std::uint32_t mark = 0; ///< `reset` of the last time

    static constexpr std::uint32_t kWords = 7;
    static constexpr std::string_view kStructName = "TreeStatus";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(TreeStatus, count),   TUFF_MEMBER(TreeStatus, refused),
                          TUFF_MEMBER(TreeStatus, resets),  TUFF_MEMBER(TreeStatus, broken),
                          TUFF_MEMBER(TreeStatus, deepest), TUFF_MEMBER(TreeStatus, total),
                          TUFF_MEMBER(TreeStatus, mark)};
    }
    static TreeStatus read(std::span<const std::uint32_t> words);
    Diagnostics warnings() const; ///< terrain/full-tree, terrain/broken-tree
};

/// Of eyes in a buffer.
struct EyeStatus {
    std::uint32_t bad = 0; ///< eyes whose places are not finite

    static constexpr std::string_view kStructName = "EyeStatus";
    static constexpr auto members() { return std::array{TUFF_MEMBER(EyeStatus, bad)}; }
    static EyeStatus read(std::span<const std::uint32_t> words);
    Diagnostics warnings() const; ///< terrain/lost-eye
};

/// The leaves of a quadtree over the unit square, or those of them that can be seen.
struct QuadTree {
    static constexpr std::string_view kPortType = "QuadTree";

    Buffer keys; ///< shaders/terrain/key.glsl: one word a leaf, or two
    /// A word a leaf: by how many levels the leaves beyond its sides -x, +x, -y and +y are coarser,
    /// four bits each, the first one lowest.
    Buffer edges;
    Buffer status; ///< a `TreeStatus`; culled trees have its first word, the number of leaves
    TreeKeys type = TreeKeys::narrow;
    std::uint32_t capacity = 0; ///< leaves that there is room for
    std::uint32_t max_level = 0;
    std::uint32_t faces = 1; ///< trees
    bool sorted = false;     ///< each leaf begins where the one before it ends
    bool balanced = false;   ///< neighbours differ by one level at most
    float reach = 0.0f;      ///< k over 2 tan(fov / 2), of the camera that it was made for

    explicit operator bool() const { return bool(keys); }
    std::uint32_t key_words() const { return type == TreeKeys::wide ? 2 : 1; }
    std::vector<PortMember> members() const {
        return {{"keys", keys, BufferElements::of<std::uint32_t>()},
                {"edges", edges, BufferElements::of<std::uint32_t>()},
                {"status", status, BufferElements::of<std::uint32_t>()}};
    }
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::TreeKeys> {
    static constexpr std::array<std::string_view, 2> names{"narrow", "wide"};
};
