#pragma once

#include "passes/terrain/tree.hpp"
#include "passes/terrain/tree_node.hpp"

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// How a tree is made.
enum class TreeMode : std::uint8_t {
    automatic,   ///< `windows` if supported, else `one_group` for small trees and `levels` for
                 ///< others
    windows,     ///< rebuilt, all levels at once
    one_group,   ///< rebuilt, level by level in one group
    levels,      ///< rebuilt, one kernel a level
    incremental, ///< updated from the previous frame's tree
    printed,     ///< the same without a check of the siblings
};

/// Divides the unit square until all leaves have the same size on the screen. See `describe`.
struct BuildQuadTree {
    static constexpr std::string_view kName = "terrain/quadtree";

    Surface surface;
    Buffer eyes;
    Image depth;
    CameraParameters camera;
    std::uint32_t width = 1280;
    std::uint32_t height = 720;
    float k = 8.0f;
    std::uint32_t max_level = kMaxNarrowLevel;
    TreeMode mode = TreeMode::automatic;
    TreeKeys keys = TreeKeys::narrow;
    TreeDrop drop = TreeDrop::nothing;
    std::uint32_t iterations = 1;
    std::uint32_t capacity = 0;
    std::uint32_t reset = 0;
    QuadTree tree;

    static void describe(PassInfo<BuildQuadTree>& info);
    void build(Graph& graph);
};

/// Smallest k, divided by 2 tan(fov / 2), for which neighbours differ by at most one level.
inline constexpr double kLeastDivision = 2.2;

/// Largest number of leaves of a tree over the ground: the center of each divided node of a level
/// is within `reach` = k / (2 tan(fov / 2)) sides of an eye.
std::uint64_t most_leaves(double reach, std::uint32_t max_level, std::uint32_t eyes);

/// Steps from the previous frame's tree.
QuadTree incremental_tree(Graph& graph, const TreeNodes& nodes, std::uint32_t iterations,
                          bool printed_rule);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::TreeMode> {
    static constexpr std::array<std::string_view, 6> names{"automatic", "windows",     "one_group",
                                                           "levels",    "incremental", "printed"};
};
