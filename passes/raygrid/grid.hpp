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

/// A grid of cells, each with a list of the triangles that intersect it.
namespace tuff::passes {

inline constexpr std::uint32_t kMaxGridCells = 1024; ///< largest number of cells along an axis

/// What building a grid reports: `Status` of shaders/raygrid/status.glsl.
struct TriangleGridStatus {
    // Triangles that are left out:
    std::uint32_t degenerate = 0; ///< without area
    std::uint32_t not_finite = 0; ///< with a coordinate that is not finite
    std::uint32_t bad_index = 0;  ///< with an index out of range
    std::uint32_t outside = 0;    ///< triangles that reach beyond the grid
    std::uint32_t entries = 0;    ///< entries of all lists, including those that did not fit
    std::uint32_t room = 0;       ///< capacity for entries
    /// Parts that triangles are split into, 64 bits, low word first: one, or for large triangles
    /// the columns of cells of their boxes.
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
    /// raygrid/bad-triangles, raygrid/outside, raygrid/lost-entries
    Diagnostics warnings() const;
    std::vector<PoolNeed> pool_needs() const; ///< "entries"
};
static_assert(sizeof(TriangleGridStatus) == 32);

/// The position and resolution of a grid, as a parameter group.
struct RayGridParameters {
    glm::uvec3 dims{128};
    VoxelBounds bounds = VoxelBounds::mesh;
    glm::vec3 low{-1.0f};
    glm::vec3 high{1.0f};
    float margin = 1.0f / 256.0f;
    std::uint32_t entries = 0;

    static void describe_fields(auto&& field) {
        using P = RayGridParameters;
        field("dims", &P::dims, "cells along each axis; powers of two give the best numbering")
            .range(1, kMaxGridCells)
            .unit("cells")
            .structural();
        field("bounds", &P::bounds,
              "\"mesh\": cubic cells around all finite vertices; \"given\": from \"low\" to "
              "\"high\"; rays may miss what is outside")
            .structural();
        field("low", &P::low, "\"given\": lower corner of the grid")
            .range(-1e9, 1e9)
            .unit("world units");
        field("high", &P::high, "\"given\": upper corner of the grid")
            .range(-1e9, 1e9)
            .unit("world units");
        field("margin", &P::margin,
              "how much larger cells are when triangles are put into them; 0: cells have no "
              "extra triangles, but rounding may hide a triangle from a ray that starts far "
              "away")
            .range(0.0, 0.5)
            .unit("cells");
        field("entries", &P::entries,
              "initial capacity for the entries of all lists; 0: chosen automatically. If "
              "there are more entries, a warning reports their number, and the capacity grows "
              "over the frames of a run")
            .range(0, 1u << 30)
            .structural();
    }
};

/// Cells with their triangles.
struct TriangleGrid {
    static constexpr std::string_view kPortType = "TriangleGrid";

    VoxelGrid cells; ///< occupied cells
    Buffer blocks;   ///< occupied boxes of cells, for skipping empty ones: see
                     ///< shaders/raygrid/bits.glsl
    Buffer starts;   ///< the index where the list of each cell begins, and where the last one ends
    Buffer list;     ///< indices of triangles, cell by cell
    Buffer leaves;   ///< three vec4 a triangle: its corners and its index
    Buffer status;   ///< `TriangleGridStatus`
    TriangleMesh mesh;
    std::uint32_t room = 0; ///< capacity of `list`

    explicit operator bool() const { return cells && blocks && starts && list && leaves; }
    std::uint32_t cell_count() const { return cells.dims.x * cells.dims.y * cells.dims.z; }
    std::uint32_t cube_bits() const; ///< as in shaders/raygrid/cells.glsl
    std::uint32_t key_bits() const;  ///< bits of a cell's index, at least 1
    std::vector<PortMember> members() const;
};

/// Puts the triangles of a mesh into the cells that they intersect. See `describe`.
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
