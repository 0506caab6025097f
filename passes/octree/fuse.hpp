#pragma once

#include "passes/octree/octree.hpp"

namespace tuff::passes {

/// What counts as a hit or a miss of a voxel.
enum class OctreeCounting : std::uint8_t {
    points, ///< every point and every ray
    frames, ///< one hit or one miss in an update
};

/// How a point changes a color, and how the colors of children make that of a node.
enum class OctreeBlend : std::uint8_t {
    fine,    ///< 18 bits a channel; the first color unchanged; means weighted by occupancy
    printed, ///< 8 bits, truncated; starting from black; plain means
};

/// How missing nodes are made.
enum class OctreeGrowth : std::uint8_t {
    at_once, ///< all levels in two kernels
    levels,  ///< one kernel a level, as in the book
};

/// Updates an octree with the points of a frame. See `describe`.
struct FuseOctree {
    static constexpr std::string_view kName = "octree/fuse";

    Buffer points;
    Buffer count;  ///< optional
    Buffer pose;   ///< optional
    Octree before; ///< optional
    OctreeShape tree;
    OctreeCounting counting = OctreeCounting::points;
    OctreeBlend blend = OctreeBlend::fine;
    OctreeGrowth growth = OctreeGrowth::at_once;
    std::uint32_t hit = 2;
    std::uint32_t miss = 2;
    bool carve = false;
    std::uint32_t carve_levels = 0;
    glm::vec3 eye{0.0f};
    float max_range = 0.0f;
    bool prune = true;
    std::uint32_t free_below = 0;
    bool reset = false;
    Octree octree;
    Buffer status;

    static void describe(PassInfo<FuseOctree>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::OctreeCounting> {
    static constexpr std::array<std::string_view, 2> names{"points", "frames"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::OctreeBlend> {
    static constexpr std::array<std::string_view, 2> names{"fine", "printed"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::OctreeGrowth> {
    static constexpr std::array<std::string_view, 2> names{"at_once", "levels"};
};
