#pragma once

#include "passes/geometry/triangle_mesh.hpp"
#include "passes/voxel/voxel_grid.hpp"

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>
#include <tuff/pools.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What the passes that turn triangles into voxels share.
namespace tuff::passes {

/// Where a grid lies.
enum class VoxelBounds : std::uint8_t {
    mesh,  ///< around the mesh, half a voxel larger: cubic voxels, found on the device
    given, ///< from `low` to `high`
};

/// Where and how fine a grid is, as a parameter group.
struct VoxelGridParameters {
    glm::uvec3 dims{128};
    VoxelBounds bounds = VoxelBounds::mesh;
    glm::vec3 low{-1.0f};
    glm::vec3 high{1.0f};
    std::uint32_t slab_bytes = 0;

    static void describe_fields(auto&& field) {
        using P = VoxelGridParameters;
        field("dims", &P::dims, "voxels along each axis; ignored with \"frame_of\"")
            .range(1, kMaxVoxelsPerAxis)
            .unit("voxels")
            .structural();
        field("bounds", &P::bounds,
              "\"mesh\": cubic voxels around all finite vertices, at least half a voxel larger; "
              "\"given\": from \"low\" to \"high\"")
            .structural();
        field("low", &P::low, "corner with the least coordinates, if bounds are \"given\"")
            .range(-1e9, 1e9)
            .unit("world units");
        field("slab_bytes", &P::slab_bytes,
              "size of the grid that a kernel works on at a time: larger grids are voxelized slab "
              "by slab, along y, with the same result; 0: as much as the device can bind")
            .unit("bytes")
            .structural();
        field("high", &P::high, "corner with the greatest coordinates; voxels need not be cubes")
            .range(-1e9, 1e9)
            .unit("world units");
    }
};

/// Parts of large triangles that there is room for at first.
inline constexpr std::uint32_t kDefaultVoxelParts = 1u << 16;
inline constexpr std::uint32_t kMaxVoxelParts = 1u << 24;

/// Whether a grid that is too large for one buffer of a kernel's is worked on slab by slab.
enum class BySlabs : bool { no, yes };

/// Checks the input, and makes a grid without any set voxel and its frame: that of `frame_of` if
/// connected. Reports, and returns nothing, where the mesh is not connected (graph/unconnected) or
/// shorter than it says (primitives/too-short), the box is empty or a size out of range
/// (pass/out-of-range), or the voxels are more than a buffer of the target can hold, and are not
/// worked on slab by slab (voxel/grid-too-large).
[[nodiscard]] std::optional<VoxelGrid> begin_grid(Graph& graph, const TriangleMesh& mesh,
                                                  const VoxelGridParameters& parameters,
                                                  const VoxelGrid& frame_of, BySlabs by_slabs);

/// What a slice along y takes of the largest buffer that a kernel works on, and how many more of
/// them that buffer has than the slab.
struct SliceRoom {
    std::uint64_t bytes = 0;
    std::uint32_t more = 0;
};

/// The slabs of a grid for which kernels see `slab_bytes` at most, or what the target allows: one,
/// the grid itself, if it takes no more. The first has the grid's status and the others one that
/// nobody looks at, for each sees all triangles.
/// Reports voxel/grid-too-large, and returns nothing, where not even a slice has room.
std::vector<VoxelGrid> slabs_of(Graph& graph, const VoxelGrid& grid, std::uint32_t slab_bytes,
                                SliceRoom slice);

/// Calls `work(slab)`, which returns it with new versions, for the slabs of a grid one after the
/// other, and returns the grid with what has become of it.
template <typename Work>
VoxelGrid for_slabs(Graph& graph, VoxelGrid grid, std::uint32_t slab_bytes, SliceRoom slice,
                    Work&& work) {
    const std::vector<VoxelGrid> slabs = slabs_of(graph, grid, slab_bytes, slice);
    for (std::size_t i = 0; i < slabs.size(); ++i) {
        VoxelGrid slab = slabs[i];
        slab.words = grid.words;
        if (slab.is_slab) graph.push_scope("slab[" + std::to_string(i) + "]");
        slab = work(slab);
        if (slab.is_slab) graph.pop_scope();
        grid.words = slab.words;
        if (i == 0) grid.status = slab.status;
    }
    return grid;
}

/// Checks a grid that a pass reads.
[[nodiscard]] bool is_valid(Graph& graph, const VoxelGrid& grid);

/// A buffer of zeros.
Buffer zeros(Graph& graph, std::string_view name, std::uint64_t words);

/// The lists of large triangles (shaders/voxel/parts.glsl).
struct LargeTriangles {
    Buffer counts;
    Buffer list;
    std::uint32_t room = 0; ///< for parts
};

/// What `LargeTriangles::counts` says on the host, in the layout of shaders/voxel/parts.glsl.
struct VoxelPartsStatus {
    std::uint32_t whole = 0;  ///< triangles that found no room, and that one group took each
    std::uint64_t needed = 0; ///< parts of all large triangles

    static VoxelPartsStatus read(std::span<const std::uint32_t> words);
    Diagnostics warnings() const;             ///< voxel/few-parts
    std::vector<PoolNeed> pool_needs() const; ///< "parts"
};

/// Binds empty lists to the node that fills them. They have room for `parts`, or for what
/// executions of graphs like this one have needed: each slab and axis has a pool of its own.
LargeTriangles write_large(Graph& graph, ComputeNodeBuilder& node, const TriangleMesh& mesh,
                           std::uint32_t parts);
/// Binds them to the node that takes them, and dispatches it. Their status reports lists that were
/// too short.
void take_large(Graph& graph, ComputeNodeBuilder& node, const LargeTriangles& large);

/// Binds what shaders/voxel/triangles.glsl declares, and sets "vertices".
void bind_mesh(KernelNode& node, const TriangleMesh& mesh, Buffer frame);

/// Counts the set voxels of a whole grid into its status.
VoxelGrid counted(Graph& graph, VoxelGrid grid);

/// Declares the inputs and parameters that the voxelizers have in common.
template <typename Pass>
void describe_voxelizer(PassInfo<Pass>& info) {
    info.input("mesh", &Pass::mesh, "the triangles");
    info.optional_input("frame_of", &Pass::frame_of,
                        "a grid whose position and size the new grid takes");
    info.group("grid", &Pass::parameters);
    info.parameter("parts", &Pass::parts,
                   "room for parts of large triangles, which several groups share, in the first "
                   "frames; without room one group takes a whole triangle, which is slow, until "
                   "the list has grown")
        .range(0, kMaxVoxelParts)
        .structural();
    info.output("grid", &Pass::grid, "the voxels");
}

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::VoxelBounds> {
    static constexpr std::array<std::string_view, 2> names{"mesh", "given"};
};
