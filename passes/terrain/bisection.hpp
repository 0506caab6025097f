#pragma once

#include "passes/scene/camera_parameters.hpp"
#include "passes/terrain/surface.hpp"

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tuff::passes {

/// What the kernels report of a bisection: the words of `BisectionTree::status`, as in
/// shaders/terrain/sums.glsl.
struct BisectionStatus {
    std::uint32_t listed = 0;  ///< capacity of the list, in leaves
    std::uint32_t leaves = 0;  ///< leaves of the tree
    std::uint32_t refused = 0; ///< splits that did not fit
    std::uint32_t changed = 0; ///< splits and merges of this execution; 0: the tree is final

    static constexpr std::uint32_t kWords = 5;
    static BisectionStatus read(std::span<const std::uint32_t> words);
    Diagnostics warnings() const; ///< terrain/full-bisection
};

inline constexpr std::uint32_t kMinBisectionDepth = 8;
inline constexpr std::uint32_t kMaxBisectionDepth = 28;

/// The leaves of a tree of bisected triangles.
struct BisectionTree {
    static constexpr std::string_view kPortType = "BisectionTree";

    Buffer keys;   ///< one node a leaf, of one word or two: shaders/terrain/bisection.glsl
    Buffer status; ///< its first word is the number of leaves
    std::uint32_t capacity = 0;
    std::uint32_t depth = 0;     ///< level of the deepest leaves, from the root of the numbering
    std::uint32_t root_bits = 0; ///< level of the squares
    std::uint32_t faces = 1;     ///< squares
    std::uint32_t key_words = 1;

    explicit operator bool() const { return bool(keys); }
    std::vector<PortMember> members() const {
        return {{"keys", keys, BufferElements::of<std::uint32_t>()},
                {"status", status, BufferElements::of<std::uint32_t>()}};
    }
};

/// Bisects triangles until their edges have the same length on the screen. See `describe`.
struct Bisect {
    static constexpr std::string_view kName = "terrain/bisection";

    Surface surface;
    CameraParameters camera;
    std::uint32_t width = 1280;
    std::uint32_t height = 720;
    float edge = 16.0f;
    std::uint32_t max_level = 20;
    std::uint32_t iterations = 1;
    std::uint32_t capacity = 1u << 16;
    std::uint32_t reset = 0;
    bool cull = true;
    BisectionTree tree;
    BisectionTree seen;

    static void describe(PassInfo<Bisect>& info);
    void build(Graph& graph);
};

/// Number of words of the sums over a tree's bit field: shaders/terrain/sums.glsl.
std::uint64_t sum_words(std::uint32_t tree_depth);

} // namespace tuff::passes
