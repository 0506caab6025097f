#pragma once

#include "passes/octree/octree.hpp"

namespace tuff::passes {

/// Voxels that an extraction found; `counts` of shaders/octree/voxel_count.comp.
struct OctreeVoxelStatus {
    std::uint32_t found = 0;
    std::uint32_t room = 0;

    static constexpr std::string_view kStructName = "OctreeVoxelStatus";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(OctreeVoxelStatus, found),
                          TUFF_MEMBER(OctreeVoxelStatus, room)};
    }
    static OctreeVoxelStatus read(std::span<const std::uint32_t> words);
    /// octree/lost-voxels
    Diagnostics warnings() const;
    std::vector<PoolNeed> pool_needs() const; ///< "voxels"
};

/// Voxels as a list.
struct OctreeVoxels {
    static constexpr std::string_view kPortType = "OctreeVoxels";

    Buffer places; ///< vec4: center and half the edge length, world units
    Buffer colors; ///< RGBA8, red in the lowest bits; alpha is the occupancy
    Buffer draw;   ///< arguments of an indirect draw of kOctreeCubeVertices vertices each
    Buffer status; ///< OctreeVoxelStatus
    OctreeShape shape;

    explicit operator bool() const { return places && colors && draw && status; }
    std::vector<PortMember> members() const {
        return {{"places", places, BufferElements::of<glm::vec4>()},
                {"colors", colors, BufferElements::of<std::uint32_t>()},
                {"draw", draw, BufferElements::of<std::uint32_t>()},
                {"status", status, BufferElements::of<OctreeVoxelStatus>()}};
    }
};

/// Vertices of the three faces of a cube that are visible from one point.
inline constexpr std::uint32_t kOctreeCubeVertices = 18;

/// Lists the occupied voxels of an octree at a level. See `describe`.
struct ExtractVoxels {
    static constexpr std::string_view kName = "octree/extract";

    Octree octree;
    std::uint32_t level = 0;
    std::uint32_t threshold = 127;
    std::uint32_t most_voxels = 0;
    bool ordered = false;
    OctreeVoxels voxels;

    static void describe(PassInfo<ExtractVoxels>& info);
    void build(Graph& graph);
};

/// The deepest level that is shown: `level`, or the leaves' level if `level` is 0 or deeper.
std::uint32_t shown_level(const OctreeShape& shape, std::uint32_t level);

} // namespace tuff::passes
