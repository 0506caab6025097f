#include "passes/raygrid/grid.hpp"

#include "passes/bvh/bvh.hpp"
#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"
#include "passes/primitives/elements.hpp"
#include "passes/primitives/scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kGridStatusWords = sizeof(TriangleGridStatus) / kWordBytes;
// Cells a side of the boxes that shaders/raygrid/bits.glsl has 64 bits of.
constexpr std::array<std::uint32_t, 2> kGridBoxSides{4, 16};
constexpr std::uint64_t kMetWords = 3; // of a small triangle's cells: shaders/raygrid/overlap.glsl
constexpr std::uint64_t kEntriesEach = 12; // of a triangle, if nobody says
constexpr std::uint64_t kLeastEntries = 1u << 16;

std::uint64_t block_words(glm::uvec3 dims) {
    std::uint64_t words = 0;
    for (const std::uint32_t side : kGridBoxSides) {
        const glm::uvec3 boxes = (dims + (side - 1)) / side;
        words += std::uint64_t{2} * boxes.x * boxes.y * boxes.z;
    }
    return words;
}

std::uint32_t room_for_entries(const Graph& graph, const RayGridParameters& parameters,
                               std::uint32_t triangles) {
    const std::uint64_t chosen = kEntriesEach * triangles + kLeastEntries;
    const std::uint64_t wanted = parameters.entries > 0 ? parameters.entries : chosen;
    const std::uint64_t most = graph.target().max_storage_buffer_bytes / kWordBytes;
    return static_cast<std::uint32_t>(
        std::min(graph.pool("entries", std::min(wanted, most), kWordBytes), most));
}

/// The kernels that build a grid.
class GridBuild {
  public:
    GridBuild(Graph& graph, const VoxelizeTriangles& pass, const VoxelGrid& empty)
        : graph_(graph), pass_(pass) {
        grid_.cells = empty;
        grid_.mesh = pass.mesh;
        grid_.room = room_for_entries(graph, pass.parameters, pass.mesh.triangle_count);
        grid_.blocks = zeros(graph, "blocks", block_words(empty.dims));
        grid_.status = zeros(graph, "status", kGridStatusWords);
        grid_.list = array(graph, "list", grid_.room);
    }

    TriangleGrid build() {
        // One more, so that the last list ends as the others do.
        counts_ = zeros(graph_, "counts", grid_.cell_count() + std::uint64_t{1});
        const Scan parts = prepare_triangles();
        put_into_cells(parts, {});
        grid_.starts = graph_.add(Scan{.source = counts_}, "starts").result;
        put_into_cells(parts, grid_.starts);
        graph_.status<TriangleGridStatus>(grid_.status);
        return grid_;
    }

  private:
    void count_in_cells(ComputeNodeBuilder& node) {
        node.specialize("cube_bits", grid_.cube_bits());
        node.set("dims", grid_.cells.dims);
        node.set("margin", pass_.parameters.margin);
        node.set("triangle_count", pass_.mesh.triangle_count);
        node.set("room", grid_.room);
        node.read("frame", grid_.cells.frame);
        counts_ = node.write("counts", counts_);
        node.match<TriangleGridStatus>("status");
        grid_.status = node.write("status", grid_.status);
    }

    Scan prepare_triangles() {
        const std::uint32_t triangles = pass_.mesh.triangle_count;
        ComputeNodeBuilder node = graph_.compute("raygrid/triangles");
        bind_mesh(node, pass_.mesh);
        count_in_cells(node);
        grid_.leaves = node.write(
            "leaves",
            graph_.buffer("leaves", {.size = std::max(triangles, 1u) * kLeafWords * kWordBytes,
                                     .stride = 16}));
        const Buffer parts = node.write("parts", array(graph_, "parts", triangles));
        met_cells_ = node.write("met_cells",
                                array(graph_, "met_cells", kMetWords * std::max(triangles, 1u)));
        node.dispatch_each(triangles);
        return graph_.add(Scan{.source = parts, .length = triangles}, "parts");
    }

    /// Without `starts` the lists of large triangles are counted, with them all are written.
    void put_into_cells(const Scan& parts, Buffer starts) {
        ComputeNodeBuilder node = graph_.compute("raygrid/cells", starts ? "list" : "count");
        node.read_optional("starts", starts);
        count_in_cells(node);
        node.read("leaves", grid_.leaves);
        node.read("before", parts.result);
        node.read("part_count", parts.total);
        node.read("met_cells", met_cells_);
        grid_.list = node.write("list", grid_.list);
        grid_.cells.words = node.write("words", grid_.cells.words);
        grid_.blocks = node.write("blocks", grid_.blocks);
        if (!groups_)
            groups_ = groups_for(graph_, {.most = ~0u, .count = parts.total}, node.group_size()[0]);
        groups_->dispatch(node);
    }

    Graph& graph_;
    const VoxelizeTriangles& pass_;
    TriangleGrid grid_;
    Buffer counts_;
    Buffer met_cells_;             ///< the cells of small triangles
    std::optional<Groups> groups_; ///< of parts
};

} // namespace

TriangleGridStatus TriangleGridStatus::read(std::span<const std::uint32_t> words) {
    return status_from<TriangleGridStatus>(words);
}

Diagnostics TriangleGridStatus::warnings() const {
    Diagnostics all;
    warn_of_bad_triangles(all, "raygrid/bad-triangles", not_finite, bad_index);
    if (outside > 0)
        all.push_back(warning("raygrid/outside",
                              fmt::format("{} triangles reach beyond the grid: rays may miss "
                                          "the parts outside",
                                          outside),
                              "increase the grid's bounds, or set \"bounds\" to \"mesh\""));
    if (parts[1] != 0)
        all.push_back(warning("raygrid/too-many-columns",
                              "some triangles are too large for such small cells, so hits are "
                              "missing",
                              "use fewer cells"));
    for (const PoolNeed& need : pool_needs())
        all.push_back(
            warning("raygrid/lost-entries",
                    fmt::format("the lists of triangles did not fit, so hits may be missing: "
                                "{} entries are needed, but there is room for {}",
                                need.elements, room),
                    fmt::format("set \"entries\" to {}, or run several frames: the capacity "
                                "grows",
                                need.elements)));
    return all;
}

std::vector<PoolNeed> TriangleGridStatus::pool_needs() const {
    if (entries <= room) return {};
    return {{"entries", entries}};
}

std::uint32_t TriangleGrid::cube_bits() const {
    return static_cast<std::uint32_t>(std::countr_zero(cells.dims.x | cells.dims.y | cells.dims.z));
}

std::uint32_t TriangleGrid::key_bits() const {
    return std::max(static_cast<std::uint32_t>(std::bit_width(cell_count() - 1)), 1u);
}

std::vector<PortMember> TriangleGrid::members() const {
    std::vector<PortMember> all = mesh.members();
    all.push_back({"words", cells.words, BufferElements::of<std::uint32_t>()});
    all.push_back({"frame", cells.frame, BufferElements::of<glm::vec4>()});
    all.push_back({"blocks", blocks, BufferElements::of<glm::uvec2>()});
    all.push_back({"starts", starts, BufferElements::of<std::uint32_t>()});
    all.push_back({"list", list, BufferElements::of<std::uint32_t>()});
    all.push_back({"leaves", leaves, BufferElements::of<glm::uvec4>()});
    all.push_back({"status", status, BufferElements::of<TriangleGridStatus>()});
    return all;
}

void VoxelizeTriangles::describe(PassInfo<VoxelizeTriangles>& info) {
    info.summary("Builds a grid of cells over a mesh, each with a list of its triangles")
        .details(
            "Each cell has a list of the triangles that intersect it, for raygrid/cast. "
            "Triangles are processed in columns of cells in their bounding boxes, along the "
            "dominant axis of their normal. An invocation takes a small triangle, or one "
            "column of a large triangle, so large triangles do not delay the rest. The "
            "triangle's plane leaves few cells of a column; these are tested by separating "
            "axes. Lists are counted, added up and written. Their order differs from run to "
            "run.\n\n"
            "Cells are numbered along a Morton curve within cubes of the largest power of two "
            "that divides all sides, so grids may have any shape. Triangles without area, with "
            "coordinates that are not finite or with an index out of range are left out and "
            "counted. voxel/surface has voxelization by the rasterizer.")
        .source("T. Zirr, H. Rehfeld and C. Dachsbacher, \"Object-Order Ray Tracing for Fully "
                "Dynamic Scenes\", GPU Pro 5, 2014; Schwarz and Seidel, \"Fast Parallel Surface "
                "and Solid Voxelization on GPUs\", SIGGRAPH Asia 2010")
        .complexity("O(triangles + cells + columns of cells in the triangles' boxes)")
        .cost([](const VoxelizeTriangles& pass, const Graph&) {
            const double cells = static_cast<double>(pass.grid.cell_count());
            const double triangles = pass.mesh.triangle_count;
            // Counts cleared, then read twice and written by the scan; a triangle set up and its
            // parts scanned, then some ten columns of it twice.
            return Cost{.bytes = 16.0 * cells + 150.0 * triangles,
                        .operations = 4000.0 * triangles};
        });
    info.input("mesh", &VoxelizeTriangles::mesh, "the triangles");
    info.group("grid", &VoxelizeTriangles::parameters);
    info.output("grid", &VoxelizeTriangles::grid, "the cells with their triangles");
    info.output("occupancy", &VoxelizeTriangles::occupancy, "the occupied cells as voxels");
}

void VoxelizeTriangles::build(Graph& graph) {
    grid.mesh = mesh;
    grid.cells.dims = parameters.dims;
    if (!is_valid(graph, mesh)) return;
    const std::uint64_t cells =
        std::uint64_t{parameters.dims.x} * parameters.dims.y * parameters.dims.z;
    const std::uint64_t most = graph.target().max_storage_buffer_bytes / kWordBytes - 1;
    if (cells > most) {
        graph.error("raygrid/grid-too-large",
                    fmt::format("a grid of {} x {} x {} cells needs a word a cell, but a "
                                "buffer has at most {} words",
                                parameters.dims.x, parameters.dims.y, parameters.dims.z, most),
                    "use fewer cells");
        return;
    }
    const std::optional<VoxelGrid> empty = begin_grid(graph, mesh,
                                                      {.dims = parameters.dims,
                                                       .bounds = parameters.bounds,
                                                       .low = parameters.low,
                                                       .high = parameters.high},
                                                      {}, BySlabs::no);
    if (!empty) return;
    grid = GridBuild(graph, *this, *empty).build();
    occupancy = grid.cells;
}

TUFF_PASS(VoxelizeTriangles)

} // namespace tuff::passes
