#include "passes/voxel/solid.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/primitives/elements.hpp"
#include "passes/voxel/raster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kSweepChunks = 16; // invocations of a line, as in voxel/solid_sweep
constexpr std::uint32_t kMaxSlices = 32;   // registers of an invocation

enum class Axis : std::uint8_t { x, y, z };
enum class Counts : bool { no, yes };

/// Flips and sweeps along one axis.
class ColumnParity {
  public:
    ColumnParity(Graph& graph, const VoxelSolid& pass, Axis axis)
        : graph_(graph), pass_(pass), axis_(axis) {}

    /// `grid` has words that are all zero; its status gets what the triangles and columns say.
    VoxelGrid fill(VoxelGrid grid, Counts counts) {
        guard_ = zeros(graph_, "guard", guard_words(grid));
        flip(grid);
        if (axis_ == Axis::z)
            sweep_rows(grid);
        else
            sweep(grid, counts);
        return grid;
    }

    /// Only flips; winding numbers change instead.
    void wind(VoxelGrid& grid) {
        winding_ = true;
        guard_ = zeros(graph_, "guard", 1); // what is below the grid has words of its own
        flip(grid);
    }

  private:
    std::uint64_t guard_words(const VoxelGrid& grid) const {
        switch (axis_) {
        case Axis::x: return std::uint64_t{grid.dims.y} * grid.row_words();
        case Axis::y: return std::uint64_t{grid.dims.x} * grid.row_words();
        case Axis::z: break;
        }
        return std::uint64_t{grid.dims.y} * ((grid.dims.x + 31) / 32);
    }

    void set_up(ComputeNodeBuilder& node, const VoxelGrid& grid) const {
        bind_mesh(node, pass_.mesh, grid.frame);
        node.set("dims", grid.dims);
        node.specialize("kAxis", static_cast<std::uint32_t>(axis_));
        node.specialize("kWinding", std::uint32_t(winding_));
    }

    void flip(VoxelGrid& grid) {
        ComputeNodeBuilder node = graph_.compute("voxel/solid_flip", "flip");
        set_up(node, grid);
        node.set("triangles", pass_.mesh.triangle_count);
        grid.words = node.accumulate("words", grid.bits());
        grid.status = node.accumulate("status", grid.status);
        guard_ = node.accumulate("guard", guard_);
        const LargeTriangles triangles = write_large(graph_, node, pass_.mesh, pass_.parts);
        node.dispatch_each(pass_.mesh.triangle_count);

        ComputeNodeBuilder large = graph_.compute("voxel/solid_parts", "flip_large");
        set_up(large, grid);
        grid.words = large.accumulate("words", grid.bits());
        guard_ = large.accumulate("guard", guard_);
        take_large(graph_, large, triangles);
    }

    void sweep(VoxelGrid& grid, Counts counts) {
        const std::uint32_t row = grid.row_words();
        const bool up = axis_ == Axis::y;
        const std::uint32_t slices = up ? grid.dims.y : grid.dims.x;
        const std::uint32_t lines = (up ? grid.dims.x : grid.dims.y) * row;
        ComputeNodeBuilder node = graph_.compute("voxel/solid_sweep", "sweep");
        node.specialize("kSlices", std::clamp(std::bit_ceil(div_round_up(slices, kSweepChunks)), 1u,
                                              kMaxSlices));
        node.specialize("kCounts", static_cast<std::uint32_t>(counts));
        node.set("lines", lines);
        node.set("inner", up ? lines : row);
        node.set("outer_stride", grid.dims.x * row);
        node.set("stride", up ? lines : row);
        node.set("slices", slices);
        node.read("guard", guard_);
        grid.words = node.write("words", grid.bits());
        grid.status = node.accumulate("status", grid.status);
        node.dispatch_each(lines * kSweepChunks);
    }

    void sweep_rows(VoxelGrid& grid) {
        ComputeNodeBuilder node = graph_.compute("voxel/solid_sweep_rows", "sweep");
        node.set("dims", grid.dims);
        grid.words = node.write("words", grid.bits());
        node.dispatch_each(grid.dims.x * grid.dims.y);
    }

    Graph& graph_;
    const VoxelSolid& pass_;
    Axis axis_;
    bool winding_ = false;
    Buffer guard_;
};

VoxelGrid by_majority(Graph& graph, const VoxelSolid& pass, const VoxelGrid& empty) {
    std::array<VoxelGrid, 3> along;
    for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
        const auto i = static_cast<std::size_t>(axis);
        VoxelGrid grid = empty;
        graph.push_scope(fmt::format("along_{}", "xyz"[i]));
        // One of the three tells of the triangles and of open columns. It works in the grid itself,
        // but for slabs, where the result goes.
        if (axis != Axis::y || empty.is_slab) {
            grid.words = zeros(graph, "voxels", grid.word_count());
            grid.is_slab = false;
        }
        if (axis != Axis::y) grid.status = zeros(graph, "unused", kVoxelStatusWords);
        along[i] = ColumnParity(graph, pass, axis).fill(grid, Counts::no);
        graph.pop_scope();
    }
    ComputeNodeBuilder node = graph.compute("voxel/solid_majority", "majority");
    node.read("along_x", along[0].words);
    node.read("along_y", along[1].words);
    node.read("along_z", along[2].words);
    node.set("count", static_cast<std::uint32_t>(empty.word_count()));
    VoxelGrid result = empty;
    result.status = along[1].status;
    result.words = node.write(
        "words",
        empty.is_slab
            ? empty.bits()
            : BufferView(graph.buffer("majority", {.size = 4 * empty.word_count(), .stride = 4})));
    node.dispatch_each(static_cast<std::uint32_t>(empty.word_count()));
    return result;
}

std::uint64_t winding_words(const VoxelGrid& grid) {
    return std::uint64_t{grid.dims.x} * (grid.dims.y + 1) * grid.row_words() * 32;
}

VoxelGrid by_winding(Graph& graph, const VoxelSolid& pass, const VoxelGrid& empty) {
    VoxelGrid changes = empty;
    changes.words = zeros(graph, "changes", winding_words(empty));
    changes.is_slab = false;
    ColumnParity(graph, pass, Axis::y).wind(changes);

    ComputeNodeBuilder node = graph.compute("voxel/solid_winding", "sweep");
    node.set("dims", empty.dims);
    node.read("changes", changes.words);
    VoxelGrid result = empty;
    result.words = node.write("words", empty.bits());
    result.status = node.accumulate("status", changes.status);
    node.dispatch_each(empty.dims.x * empty.row_words());
    return result;
}

} // namespace

void VoxelSolid::describe(PassInfo<VoxelSolid>& info) {
    info.summary("Sets the voxels whose centers lie inside a closed mesh")
        .details(
            "\"parity\" works on columns along y. In every column whose center it covers, a "
            "triangle flips the highest voxel whose center lies below it. Then each column is "
            "swept from the top: a voxel is inside if the number of flips at it or above is odd. "
            "Everything is computed in integers (1/256 voxel), and a center on a common edge "
            "belongs to one of the two triangles, so the result is the same to the bit for any "
            "order of triangles and any device. Parts of the mesh above the grid count; parts "
            "below do not matter. A column with an odd number of flips is open: the mesh has a "
            "hole above or below, and the column is filled downwards; the status counts such "
            "columns. Closed meshes that overlap or contain each other cancel out.\n\n\"majority\" "
            "repeats this along all three axes and takes the majority, which closes small holes. "
            "\"winding\" adds 1 or -1 for each triangle instead, and voxels with a sum other than "
            "0 are inside. It joins overlapping meshes if their triangles have the same "
            "orientation, and it needs a word for each voxel as scratch memory. \"raster\" draws "
            "the mesh along z and flips all voxels behind each fragment; it does not detect open "
            "columns.\n\nTriangles are left out and counted if a vertex is not finite or more than "
            "10^9 voxels away, or an index is out of range; without a mesh nothing is set.")
        .source("Schwarz, \"Practical Binary Surface and Solid Voxelization with Direct3D 11\", "
                "GPU Pro 3, 2012; Schwarz and Seidel, \"Fast Parallel Surface and Solid "
                "Voxelization on GPUs\", SIGGRAPH Asia 2010; Eisemann and Decoret, \"Single-Pass "
                "GPU Solid Voxelization\", Graphics Interface 2008 (raster)")
        .complexity("O(words of the grid + triangles + columns that they cover)")
        .cost([](const VoxelSolid& pass, const Graph&) {
            const double words = static_cast<double>(pass.grid.word_count());
            return Cost{.bytes = 12.0 * words + 12.0 * pass.mesh.vertex_count +
                                 12.0 * pass.mesh.triangle_count,
                        .operations = 400.0 * pass.mesh.triangle_count};
        });
    describe_voxelizer(info);
    info.parameter("method", &VoxelSolid::method, "how the inside is defined and computed")
        .structural();
}

void VoxelSolid::build(Graph& graph) {
    const bool drawn = method == SolidMethod::raster;
    const std::optional<VoxelGrid> empty =
        begin_grid(graph, mesh, parameters, frame_of, drawn ? BySlabs::no : BySlabs::yes);
    if (!empty) return;
    if (drawn) {
        grid = counted(
            graph, draw_voxels(graph, "voxel/raster_solid", mesh, *empty, 2, CountsTriangles::yes));
        graph.status<VoxelStatus>(grid.status);
        return;
    }
    // Winding numbers are words in place of bits, and have a slice more.
    const std::uint64_t slice = empty->dims.x * empty->row_bytes();
    const SliceRoom room = method == SolidMethod::winding
                               ? SliceRoom{.bytes = 32 * slice, .more = 1}
                               : SliceRoom{.bytes = slice};
    bool is_counted = false;
    grid = for_slabs(graph, *empty, parameters.slab_bytes, room, [&](const VoxelGrid& slab) {
        switch (method) {
        case SolidMethod::majority: return by_majority(graph, *this, slab);
        case SolidMethod::winding: return by_winding(graph, *this, slab);
        default: break;
        }
        is_counted = !slab.is_slab;
        return ColumnParity(graph, *this, Axis::y)
            .fill(slab, is_counted ? Counts::yes : Counts::no);
    });
    if (!is_counted) grid = counted(graph, grid);
    graph.status<VoxelStatus>(grid.status);
}

TUFF_PASS(VoxelSolid)

} // namespace tuff::passes
