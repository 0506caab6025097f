#include "passes/fluid/parts.hpp"

#include "passes/common/picture.hpp"
#include "passes/fluid/clock.hpp"
#include "passes/mpi/transfer.hpp"

#include <fmt/format.h>
#include <glm/common.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace tuff::passes {
namespace {

Cells cells_from(glm::uvec3 v) {
    return {v.x, v.y, v.z};
}

/// How many cells of the halo below and above the part stand for one of the field. Where the
/// arrays have room for more cells than the field has, a cell counts at the nearer end only.
struct Margins {
    glm::ivec3 low{0};
    glm::ivec3 high{0};
};
Margins margins_of(const FluidField& field) {
    const FluidPart& part = field.part;
    const glm::ivec3 dims(field.dims);
    const auto periodic = field.boundary.periodic();
    Margins margins;
    for (int axis = 0; axis < 3; ++axis) {
        const int others = dims[axis] - part.cells[axis];
        const bool goes_on = periodic[static_cast<std::size_t>(axis)];
        const int below = goes_on ? others / 2 : part.first[axis];
        margins.low[axis] = std::min(part.halo[axis], below);
        margins.high[axis] = std::min(part.halo[axis], others - below);
    }
    return margins;
}

glm::uvec3 fineness(const FluidField& field, std::uint32_t scale) {
    return {scale, scale, field.is_flat() ? 1 : scale};
}

/// Boxes of cells of the flow as those of a dye with `fine` numbers to a cell.
std::vector<CellBox> finer(std::vector<CellBox> boxes, const Cells& fine) {
    for (CellBox& box : boxes)
        for (std::size_t axis = 0; axis < 3; ++axis) {
            box.source[axis] *= fine[axis];
            box.target[axis] *= fine[axis];
            box.size[axis] *= fine[axis];
        }
    return boxes;
}

/// `width` cells of the halo of `field`, of arrays with `fine` numbers to a cell.
BoxesOf halo_boxes_of(const Graph& graph, const FluidField& field, std::int32_t width,
                      glm::uvec3 fine) {
    const Cells halo = cells_from(glm::uvec3(field.part.halo));
    Field parts{.cells = cells_from(field.dims),
                .halo = cells_from(glm::uvec3(glm::min(field.part.halo, glm::ivec3(width))))};
    const auto periodic = field.boundary.periodic();
    for (std::size_t axis = 0; axis < 3; ++axis)
        parts.edges[axis] = periodic[axis] ? HaloEdge::periodic : HaloEdge::keep;
    return [parts, halo, ranks = graph.ranks(), fine = cells_from(fine)](std::uint32_t to) {
        std::vector<CellBox> boxes = halo_boxes(parts, ranks, to);
        for (CellBox& box : boxes)
            for (std::size_t axis = 0; axis < 3; ++axis) {
                box.source[axis] += halo[axis];
                box.target[axis] += halo[axis] - parts.halo[axis];
            }
        return finer(std::move(boxes), fine);
    };
}

/// All parts on rank 0.
BoxesOf whole_of(const Graph& graph, const FluidField& field, glm::uvec3 fine) {
    return [dims = cells_from(field.dims), halo = cells_from(glm::uvec3(field.part.halo)),
            ranks = graph.ranks(), fine = cells_from(fine)](std::uint32_t to) {
        std::vector<CellBox> boxes;
        for (std::uint32_t rank = 0; to == 0 && rank < ranks.size(); ++rank) {
            const auto part = ranks.part(dims, rank);
            boxes.push_back({.from = rank,
                             .source = halo,
                             .target = {part[0].first, part[1].first, part[2].first},
                             .size = {part[0].count, part[1].count, part[2].count}});
        }
        return finer(std::move(boxes), fine);
    };
}

std::uint32_t words_of(FluidPrecision precision) {
    return precision == FluidPrecision::half ? 2 : 4;
}

Buffer gathered(Graph& graph, const FluidField& field, std::string_view name, Buffer cells,
                glm::uvec3 fine, FluidPrecision precision) {
    const CellArray from{
        .buffer = cells, .size = cells_from(field.held() * fine), .words = words_of(precision)};
    CellArray whole = from;
    whole.size = cells_from(field.dims * fine);
    whole.buffer = graph.buffer(name, cells_desc(field.dims * fine, precision));
    if (graph.ranks().rank != 0) whole.buffer = graph.fill(whole.buffer, 0, "rest");
    return transfer_boxes(graph, from, whole, whole_of(graph, field, fine)).buffer;
}

} // namespace

FluidPart part_with_halo(Graph& graph, glm::uvec3 dims, glm::ivec3 halo) {
    const Ranks& ranks = graph.ranks();
    if (ranks.size() == 1) return {};
    const Cells cells = cells_from(dims);
    if (auto ok = ranks.check(cells); !ok) {
        for (Diagnostic& problem : ok.error())
            graph.report(std::move(problem));
        return {};
    }
    FluidPart part;
    const auto spans = ranks.part(cells);
    for (int axis = 0; axis < 3; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        part.first[axis] = static_cast<int>(spans[a].first);
        part.cells[axis] = static_cast<int>(spans[a].count);
        part.halo[axis] = ranks.grid[a] > 1 ? halo[axis] : 0;
    }
    const glm::i64vec3 held(part.held());
    if (static_cast<std::uint64_t>(held.x * held.y * held.z) <= kMaxFluidCells) return part;
    graph.error(
        "pass/out-of-range",
        fmt::format("a part has {} x {} x {} cells with its halo, and at most {} are allowed",
                    held.x, held.y, held.z, kMaxFluidCells),
        "take more ranks or a narrower \"halo\"; that of a dye is as wide as it may travel: "
        "take fewer \"steps\", a greater \"min_dt\" if they adapt, or no dye (\"dyed\")");
    return {};
}

glm::ivec3 cells_of_others(const Graph& graph, glm::uvec3 dims) {
    const auto& grid = graph.ranks().grid;
    return glm::ivec3(dims - dims / glm::uvec3(grid[0], grid[1], grid[2]));
}

CellRange cells_around(const FluidField& field, std::int32_t margin) {
    const Margins margins = margins_of(field);
    return {.from = field.part.first - glm::min(margins.low, glm::ivec3(margin)),
            .to = field.part.first + field.part.cells + glm::min(margins.high, glm::ivec3(margin))};
}

bool has_halo(Graph& graph, const FluidField& field, std::int32_t cells, std::string_view what) {
    const glm::ivec3 others = cells_of_others(graph, field.dims);
    for (int axis = 0; axis < 3; ++axis) {
        const int halo = field.part.halo[axis];
        if (halo == 0 || halo >= std::min(cells, others[axis])) continue;
        graph.error(
            "fluid/narrow-halo",
            fmt::format("{} looks at {} cells of other ranks, and the halo has {}", what, cells,
                        halo),
            "let the pass that made the field have a wider \"halo\" or a greater \"reach\"; a "
            "dye that is carried for less time needs a narrower one");
        return false;
    }
    return true;
}

std::int32_t greatest_way(const FluidField& field) {
    constexpr double kRounding = 1.001; // of half precision
    constexpr double kFar = 1e6;
    const double way = static_cast<double>(field.fastest) * static_cast<double>(field.elapsed);
    return static_cast<std::int32_t>(std::min(way * kRounding, kFar)) + 1;
}

void set_grid(KernelNode& node, const FluidField& field, const CellRange& cells) {
    node.set("dims", glm::ivec3(field.dims));
    node.set("faces", field.boundary.bits());
    if (!field.part) return;
    const auto periodic = field.boundary.periodic();
    const Margins margins = margins_of(field);
    glm::ivec3 turn(0);
    for (int axis = 0; axis < 3; ++axis)
        if (periodic[static_cast<std::size_t>(axis)])
            turn[axis] = field.part.first[axis] - margins.low[axis];
    node.specialize("kParts", 1u);
    node.set("held", field.part.held());
    node.set("origin", field.part.first - field.part.halo);
    node.set("turn", turn);
    node.set("from", cells.from);
    node.set("to", cells.to);
}

void set_grid(KernelNode& node, const FluidField& field) {
    set_grid(node, field, cells_around(field, 0));
}

void set_part(KernelNode& node, const FluidField& field) {
    if (!field.part) return;
    node.specialize("kParts", 1u);
    node.set("part", field.part.cells);
    node.set("halo", field.part.halo);
}

void set_part(Graph& graph, Buffer history, const FluidField& field, std::uint32_t scale,
              std::uint32_t arrays) {
    if (!field.part) return;
    const auto periodic = field.boundary.periodic();
    FieldPart part{.cells = cells_from(field.dims),
                   .halo = cells_from(glm::uvec3(field.part.halo)),
                   .fine = cells_from(fineness(field, scale)),
                   .arrays = arrays};
    for (std::size_t axis = 0; axis < 3; ++axis)
        part.ends[axis] = periodic[axis] ? FieldEnd::joined : FieldEnd::unread;
    graph.set_part(history, part);
}

void set_own_cells(KernelNode& node, const FluidField& field) {
    node.set("own_from", field.part.first);
    node.set("own_to", field.part.first + field.part.cells);
}

Extent extent_of(const FluidField& field, const CellRange& cells, std::uint32_t scale) {
    const glm::uvec3 size = field.part ? glm::uvec3(cells.to - cells.from) : field.dims;
    return {size.x * scale, size.y * scale, field.is_flat() ? 1 : size.z * scale};
}

std::int32_t halo_of(const FluidField& field) {
    const glm::ivec3 halo = field.part.halo;
    return std::max({halo.x, halo.y, halo.z});
}

Buffer fill_halo(Graph& graph, const FluidField& field, std::int32_t width, Buffer source,
                 Buffer cells) {
    const CellArray from{
        .buffer = source, .size = cells_from(field.held()), .words = words_of(field.precision)};
    CellArray to = from;
    to.buffer = cells;
    const BoxesOf boxes = halo_boxes_of(graph, field, width, glm::uvec3(1));
    return transfer_boxes(graph, from, to, boxes).buffer;
}

Buffer fill_face_halo(Graph& graph, const FluidField& field, Buffer faces) {
    const std::uint32_t axes = field.is_flat() ? 2 : 3;
    const Cells cells = cells_from(field.dims);
    const auto halo = static_cast<std::uint32_t>(field.part.halo.z);
    Cells size = cells_from(field.held());
    size[2] *= axes;
    const auto boxes = [=, of_axis = halo_boxes_of(graph, field, halo_of(field), glm::uvec3(1)),
                        ranks = graph.ranks()](std::uint32_t to) {
        const auto held = [&](std::uint32_t rank) {
            return ranks.part(cells, rank)[2].count + 2 * halo;
        };
        std::vector<CellBox> all;
        for (std::uint32_t axis = 0; axis < axes; ++axis)
            for (CellBox box : of_axis(to)) {
                box.source[2] += axis * held(box.from);
                box.target[2] += axis * held(to);
                all.push_back(box);
            }
        return all;
    };
    const CellArray array{.buffer = faces, .size = size};
    return transfer_boxes(graph, array, array, boxes).buffer;
}

Buffer fill_halo(Graph& graph, const FluidField& field, const FluidDye& dye) {
    const glm::uvec3 fine = fineness(field, dye.scale);
    const CellArray array{.buffer = dye.cells,
                          .size = cells_from(field.held() * fine),
                          .words = words_of(FluidPrecision::full)};
    const BoxesOf boxes = halo_boxes_of(graph, field, halo_of(field), fine);
    return transfer_boxes(graph, array, array, boxes).buffer;
}

FluidField whole_field(Graph& graph, const FluidField& field) {
    FluidField whole = field.clocked ? with_speed_of_all(graph, field) : field;
    whole.part = {};
    whole.cells = gathered(graph, field, "field", field.cells, glm::uvec3(1), field.precision);
    return whole;
}

FluidDye whole_dye(Graph& graph, const FluidField& field, const FluidDye& dye) {
    FluidDye whole = dye;
    whole.part = {};
    whole.cells =
        gathered(graph, field, "dye", dye.cells, fineness(field, dye.scale), FluidPrecision::full);
    return whole;
}

} // namespace tuff::passes
