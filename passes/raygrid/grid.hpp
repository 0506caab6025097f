#pragma once

#include "passes/geometry/triangle_mesh.hpp"
#include "passes/voxel/voxelize.hpp"

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>
#include <tuff/pools.hpp>
#include <tuff/shared_struct.hpp>

#include <glm/vec3.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/// A grid of cells, each with a list of the triangles that meet it.
namespace tuff::passes {

inline constexpr std::uint32_t kMaxGridCells = 1024; ///< along an axis

/// What a grid's triangles are like: `Status` of shaders/raygrid/status.glsl.
struct TriangleGridStatus {
    // Triangles that are left out: ...
    std::uint32_t degenerate = 0; ///< ... without area,
    std::uint32_t not_finite = 0; ///< ... with a coordinate that is not finite,
    std::uint32_t bad_index = 0;  ///< ... or with an index of no vertex.
    std::uint32_t outside = 0;    ///< triangles that reach beyond the grid
    std::uint32_t entries = 0;    ///< of all lists together, also those without room
    std::uint32_t room = 0;       ///< for entries
    /// Parts that triangles are cut into, 64 bits with the low ones first: one, or of large ones the
    /// columns of cells of their boxes.
    std::array<std::uint32_t, 2> parts{};

    static constexpr std::string_view kStructName = "TriangleGridStatus";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(TriangleGridStatus, degenerate),
                          TUFF_MEMBER(TriangleGridStatus, not_finite),
                          TUFF_MEMBER(TriangleGridStatus, bad_index),
                          TUFF_MEMBER(TriangleGridStatus, outside),
                          TUFF_MEMBER(TriangleGridStatus, entries),
                          TUFF_MEMBER(TriangleGridStatus, room),
                          TUFF_MEMBER(TriangleGridStatus, parts)};
    }
    static TriangleGridStatus read(std::span<const std::uint32_t> words);
    /// raygrid/bad-triangles, raygrid/outside, raygrid/lost-entries, raygrid/too-many-columns
    Diagnostics warnings() const;
    std::vector<PoolNeed> pool_needs() const; ///< "entries"
};
static_assert(sizeof(TriangleGridStatus) == 32);

/// Where a grid lies and how fine it is, as a parameter group.
struct RayGridParameters {
    glm::uvec3 dims{128};
    VoxelBounds bounds = VoxelBounds::mesh;
    glm::vec3 low{-1.0f};
    glm::vec3 high{1.0f};
    float margin = 1.0f / 256.0f;
    std::uint32_t entries = 0;

    static void describe_fields(auto&& field) {
        using P = RayGridParameters;
        field("dims", &P::dims, "cells along each axis; powers of two are numbered best")
            .range(1, kMaxGridCells)
            .unit("cells")
            .structural();
        field("bounds", &P::bounds,
              "\"mesh\": cubic cells around all finite vertices; \"given\": from \"low\" to "
              "\"high\", and what lies beyond may be missed")
            .structural();
        field("low", &P::low, "corner of the least coordinates, where bounds are given")
            .range(-1e9, 1e9)
            .unit("world units");
        field("high", &P::high, "corner of the greatest coordinates")
            .range(-1e9, 1e9)
            .unit("world units");
        field("margin", &P::margin,
              "that cells are larger by when triangles are put into them: with 0 a triangle is in "
              "no cell too many, but rounding may hide it from a ray that comes from afar")
            .range(0.0, 0.5)
            .unit("cells");
        field("entries", &P::entries,
              "of all lists together that there is room for at first; 0: chosen. Where there are "
              "more, a warning says how many, and the room grows over the frames of a run")
            .range(0, 1u << 30)
            .structural();
    }
};

/// Cells and their triangles.
struct TriangleGrid {
    static constexpr std::string_view kPortType = "TriangleGrid";

    VoxelGrid cells; ///< those that are occupied
    Buffer blocks;   ///< the same for stepping over empty boxes: see shaders/raygrid/bits.glsl
    Buffer starts;   ///< where the list of each cell begins, and where the last one ends
    Buffer list;     ///< numbers of triangles, cell by cell
    Buffer leaves;   ///< three quads a triangle: its corners, and its number
    Buffer status;   ///< `TriangleGridStatus`
    TriangleMesh mesh;
    std::uint32_t room = 0; ///< of `list`

    explicit operator bool() const { return cells && blocks && starts && list && leaves; }
    std::uint32_t cell_count() const { return cells.dims.x * cells.dims.y * cells.dims.z; }
    std::uint32_t cube_bits() const; ///< as in shaders/raygrid/cells.glsl
    std::uint32_t key_bits() const;  ///< of a cell's number, at least 1
    std::vector<PortMember> members() const;
};

/// Puts the triangles of a mesh into the cells that they meet. See `describe`.
struct VoxelizeTriangles {
    static constexpr std::string_view kName = "raygrid/voxelize";

    TriangleMesh mesh;
    RayGridParameters parameters;

    TriangleGrid grid;
    VoxelGrid occupancy;

    static void describe(PassInfo<VoxelizeTriangles>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
