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

/// What the kernels report of a tree; the words of `QuadTree::status`.
struct TreeStatus {
    std::uint32_t count = 0;   ///< leaves
    std::uint32_t refused = 0; ///< divisions that did not fit
    std::uint32_t resets = 0;  ///< restarts of the tree because it was broken
    std::uint32_t broken = 0;  ///< leaves next to a hole or an overlap
    std::uint32_t deepest = 0; ///< level of the tree; not known if the tree is updated
    std::uint32_t total = 0;
    std::uint32_t mark = 0; ///< last value of `reset`

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

/// The status of eyes in a buffer.
struct EyeStatus {
    std::uint32_t bad = 0; ///< eyes whose positions are not finite

    static constexpr std::string_view kStructName = "EyeStatus";
    static constexpr auto members() { return std::array{TUFF_MEMBER(EyeStatus, bad)}; }
    static EyeStatus read(std::span<const std::uint32_t> words);
    Diagnostics warnings() const; ///< terrain/lost-eye
};

/// The leaves of a quadtree over the unit square, or the visible ones.
struct QuadTree {
    static constexpr std::string_view kPortType = "QuadTree";

    Buffer keys; ///< shaders/terrain/key.glsl: one word a leaf, or two
    /// One word a leaf: by how many levels its neighbours on the sides -x, +x, -y and +y are
    /// coarser, four bits each, the first one lowest.
    Buffer edges;
    Buffer status; ///< a `TreeStatus`; for culled trees only its first word, the number of leaves
    TreeKeys type = TreeKeys::narrow;
    std::uint32_t capacity = 0; ///< capacity, in leaves
    std::uint32_t max_level = 0;
    std::uint32_t faces = 1; ///< trees
    bool sorted = false;     ///< each leaf begins where the previous one ends
    bool balanced = false;   ///< neighbours differ by at most one level
    float reach = 0.0f;      ///< k over 2 tan(fov / 2), of the camera that the tree was made for

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
