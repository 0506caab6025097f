#include "passes/raygrid/grid.hpp"

#include "passes/bvh/bvh.hpp"
#include "passes/common/div_round_up.hpp"
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
constexpr std::uint64_t kMetWords = 3;     // of a small triangle's cells: the low cell, 4^3 bits
constexpr std::uint64_t kEntriesEach = 12; // of a triangle, if nobody says
constexpr std::uint64_t kLeastEntries = 1u << 16;
constexpr std::uint64_t kLargeSizes = 4; // of large triangles: shaders/raygrid/overlap.glsl
// That share these; beginning one costs a software device more.
constexpr std::uint32_t kMinInvocations = 1u << 16;
constexpr std::uint32_t kMinInvocationsOnCpu = 1u << 12;

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
        grid_.list = array(graph, "list", grid_.room);
    }

    TriangleGrid build() {
        clear();
        prepare_triangles();
        put_into_cells(false);
        // The ends of lists: each triangle that is put into a cell brings one down, to the start.
        grid_.starts = graph_
                           .add(Scan{.source = counts_,
                                     .length = std::int64_t{grid_.cell_count()} + 1,
                                     .kind = ScanKind::inclusive,
                                     .cleared = scan_words_},
                                "starts")
                           .result;
        put_into_cells(true);
        graph_.status<TriangleGridStatus>(grid_.status);
        return grid_;
    }

  private:
    void clear() {
        ComputeNodeBuilder node = graph_.compute("raygrid/clear");
        std::uint32_t most = 0;
        const auto cleared = [&](std::string_view name, std::string_view quads,
                                 std::uint64_t words) {
            const auto count = static_cast<std::uint32_t>(div_round_up(words, std::uint64_t{4}));
            node.set(quads, count);
            most = std::max(most, count);
            return node.write(name, array(graph_, name, words));
        };
        // One more, so that the last list ends as the others do.
        counts_ = cleared("counts", "count_quads", grid_.cell_count() + std::uint64_t{1});
        grid_.cells.words = cleared("words", "voxel_quads", grid_.cells.word_count());
        grid_.blocks = cleared("blocks", "block_quads", block_words(grid_.cells.dims));
        grid_.status = cleared("status", "status_quads", kGridStatusWords);
        const std::uint64_t scan_words = words_to_clear(graph_, grid_.cell_count() + 1);
        if (scan_words > 0)
            scan_words_ = cleared("scan_words", "scan_quads", scan_words);
        else
            (void)node.write("scan_words", array(graph_, "no_scan_words", 4));
        large_counts_ = node.write("large_counts", array(graph_, "large_counts", kLargeSizes));
        no_starts_ = node.write("no_starts", array(graph_, "no_starts", 1));
        node.dispatch_each(most);
    }

    void count_in_cells(ComputeNodeBuilder& node) {
        node.specialize("cube_bits", grid_.cube_bits());
        node.set("dims", grid_.cells.dims);
        node.set("margin", pass_.parameters.margin);
        node.set("triangle_count", pass_.mesh.triangle_count);
        node.set("room", grid_.room);
        node.read("frame", grid_.cells.frame);
        counts_ = node.write("counts", counts_);
        grid_.cells.words = node.write("words", grid_.cells.words);
        grid_.blocks = node.write("blocks", grid_.blocks);
        node.match<TriangleGridStatus>("status");
        grid_.status = node.write("status", grid_.status);
    }

    void prepare_triangles() {
        const std::uint32_t triangles = pass_.mesh.triangle_count;
        ComputeNodeBuilder node = graph_.compute("raygrid/triangles");
        bind_mesh(node, pass_.mesh);
        count_in_cells(node);
        grid_.leaves = node.write(
            "leaves",
            graph_.buffer("leaves", {.size = std::max(triangles, 1u) * kLeafWords * kWordBytes,
                                     .stride = 16}));
        large_counts_ = node.write("large_counts", large_counts_);
        large_ = node.write("large", array(graph_, "large", kLargeSizes * triangles));
        met_cells_ = node.write("met_cells",
                                array(graph_, "met_cells", kMetWords * std::max(triangles, 1u)));
        node.dispatch_each(triangles);
    }

    /// Counts large triangles, or puts all into lists.
    void put_into_cells(bool into_lists) {
        ComputeNodeBuilder node = graph_.compute("raygrid/cells", into_lists ? "list" : "count");
        node.specialize("has_starts", std::uint32_t(into_lists));
        count_in_cells(node);
        node.read("leaves", grid_.leaves);
        node.read("large_counts", large_counts_);
        node.read("large", large_);
        node.read("met_cells", met_cells_);
        Buffer& starts = into_lists ? grid_.starts : no_starts_;
        starts = node.write("starts", starts);
        grid_.list = node.write("list", grid_.list);
        const bool on_cpu = graph_.target().type == DeviceType::cpu;
        const std::uint32_t least = on_cpu ? kMinInvocationsOnCpu : kMinInvocations;
        node.dispatch_each(into_lists ? std::max(pass_.mesh.triangle_count, least) : least);
    }

    Graph& graph_;
    const VoxelizeTriangles& pass_;
    TriangleGrid grid_;
    Buffer counts_;
    Buffer scan_words_;
    Buffer met_cells_; ///< the cells of small triangles
    Buffer large_;     ///< numbers of large triangles, by size
    Buffer large_counts_;
    Buffer no_starts_; ///< while triangles are counted
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
            // Counts cleared, then read and written by the scan, which may read them twice; a
            // triangle set up, then some cells of it counted and written.
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
