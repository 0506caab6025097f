#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>
#include <tuff/shared_struct.hpp>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/// What passes share that build or read sparse voxel octrees.
namespace tuff::passes {

/// Largest number of levels below the root: keys of two words have three bits for each, and a
/// leading 1.
inline constexpr std::uint32_t kMaxOctreeDepth = 21;
/// Largest number of levels for keys of one word.
inline constexpr std::uint32_t kMaxShortKeyDepth = 10;
/// Children of a node, allocated together and contiguous.
inline constexpr std::uint32_t kOctreeBlock = 8;
/// Largest number of nodes of a pool.
inline constexpr std::uint32_t kMaxOctreeNodes = 1u << 26;
/// Largest number of points of an update: groups of 256 leaves in one row of a dispatch.
inline constexpr std::uint32_t kMaxOctreePoints = 65535u * 256;

/// A point from a depth camera. `OctreePoint` of kernels is four words.
struct OctreePoint {
    glm::vec3 position{0.0f}; ///< world units
    std::uint32_t color = 0;  ///< RGBA8, red in the lowest bits; alpha 0: the path to it is free,
                              ///< but the point hit nothing

    static constexpr std::string_view kStructName = "OctreePoint";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(OctreePoint, position), TUFF_MEMBER(OctreePoint, color)};
    }
};
static_assert(sizeof(OctreePoint) == 16);

/// The pool of a persistent tree, which grows over the frames of a run: `Graph::pool`.
inline constexpr std::string_view kOctreePool = "nodes";

/// What an update did, and the state of the pool after it; `TreeStatus` of
/// shaders/octree/status.glsl.
struct OctreeStatus {
    std::uint32_t blocks = 0;   ///< blocks of eight nodes allocated, including those in the free
                                ///< list
    std::uint32_t free = 0;     ///< blocks in the free list
    std::uint32_t root = 0;     ///< value of the root, RGBA8
    std::uint32_t frames = 0;   ///< updates so far
    std::uint32_t leaves = 0;   ///< leaves with points of this update
    std::uint32_t wanted = 0;   ///< blocks added by this update
    std::uint32_t freed = 0;    ///< blocks freed by this update
    std::uint32_t no_room = 0;  ///< blocks that did not fit into the pool
    std::uint32_t lost = 0;     ///< leaves whose points are not in the tree
    std::uint32_t outside = 0;  ///< points outside the root, or not finite
    std::uint32_t cut_rays = 0; ///< rays that ended early, after 2048 nodes
    std::uint32_t room = 0;     ///< capacity of the pool, in blocks

    static constexpr std::string_view kStructName = "OctreeStatus";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(OctreeStatus, blocks),   TUFF_MEMBER(OctreeStatus, free),
                          TUFF_MEMBER(OctreeStatus, root),     TUFF_MEMBER(OctreeStatus, frames),
                          TUFF_MEMBER(OctreeStatus, leaves),   TUFF_MEMBER(OctreeStatus, wanted),
                          TUFF_MEMBER(OctreeStatus, freed),    TUFF_MEMBER(OctreeStatus, no_room),
                          TUFF_MEMBER(OctreeStatus, lost),     TUFF_MEMBER(OctreeStatus, outside),
                          TUFF_MEMBER(OctreeStatus, cut_rays), TUFF_MEMBER(OctreeStatus, room)};
    }
    static OctreeStatus read(std::span<const std::uint32_t> words);
    /// octree/no-room, octree/cut-rays
    Diagnostics warnings() const;
    std::vector<PoolNeed> pool_needs() const; ///< "nodes"

    /// Nodes that are in the tree.
    std::uint64_t nodes() const { return std::uint64_t{kOctreeBlock} * (blocks - free); }
};
static_assert(sizeof(OctreeStatus) == 48);

/// The position and resolution of an octree.
struct OctreeShape {
    glm::vec3 center{0.0f};       ///< center, world units
    float half = 1.0f;            ///< half the edge length of the root, world units
    std::uint32_t depth = 8;      ///< levels below the root: 2^depth leaves along an edge
    std::uint32_t nodes = 262144; ///< capacity of the pool, rounded up to blocks

    std::uint32_t blocks() const { return (nodes + kOctreeBlock - 1) / kOctreeBlock; }
    std::uint32_t key_words() const { return depth > kMaxShortKeyDepth ? 2 : 1; }
    /// Leaves per world unit.
    float cells_a_unit() const { return static_cast<float>(1u << (depth - 1)) / half; }

    static void describe_fields(auto&& field);
};

/// A sparse voxel octree in a pool of nodes. A node is two words. In the first word, bit 31 means
/// that a leaf was hit, bit 30 that the node has children, and the other bits are the index of the
/// first of eight children. Child x + 2y + 4z is above the node's center along the axes whose
/// number is 1. The second word is RGBA8, red in the lowest bits; alpha is the occupancy, 0 to 255,
/// and 127 is unknown. The root has no node; its children are nodes 0 to 7.
struct Octree {
    static constexpr std::string_view kPortType = "Octree";

    Buffer nodes;     ///< uvec2 a node
    Buffer blocks;    ///< one word a block of eight nodes: the node whose children they are
    Buffer free;      ///< indices of free blocks
    Buffer fractions; ///< fractions of colors, one word a node, for OctreeBlend::fine
    Buffer status;    ///< OctreeStatus
    Buffer kept;      ///< persistent trees: the status for the next execution
    OctreeShape shape;
    /// Whether a node is occupied if one below it is (OctreeBlend::fine).
    bool occupied_above = true;

    explicit operator bool() const { return nodes && blocks && free && status; }
    std::vector<PortMember> members() const;
};

/// Returns whether the shape is valid; reports errors.
[[nodiscard]] bool is_valid(Graph& graph, const OctreeShape& shape);

/// Sets the parameters of kernels that use key.glsl.
void specialize(KernelNode& node, const OctreeShape& shape);

/// The number of points: the first `length` of the buffer, or fewer by `count`. Returns 0, and
/// reports, if there are none or too many.
std::uint32_t checked_points(Graph& graph, Buffer points);

void OctreeShape::describe_fields(auto&& field) {
    using S = OctreeShape;
    field("center", &S::center, "center of the root").unit("world units");
    field("half", &S::half, "half the edge length of the root")
        .range(0.0, 1e9, RangeEnds::open_low)
        .unit("world units");
    field("depth", &S::depth, "levels below the root; more than 10 take keys of two words")
        .range(1, kMaxOctreeDepth)
        .structural();
    field("nodes", &S::nodes, "capacity of the pool, rounded up to blocks of eight")
        .range(8, kMaxOctreeNodes)
        .structural();
}

} // namespace tuff::passes
