#include "passes/mpi/poisson_levels.hpp"

#include <algorithm>

namespace tuff::passes {
namespace {

/// Of solutions on the finest grid, where two sweeps begin with one exchange, and of what couples
/// solid and fixed cells. See `PartCycles`.
constexpr std::uint32_t kHalo = 4;

/// The spans of the coarse cells whose lowest fine cells lie in these.
std::vector<CellSpan> coarsened(const std::vector<CellSpan>& fine) {
    std::vector<CellSpan> coarse;
    for (const CellSpan& span : fine) {
        const std::uint32_t first = (span.first + 1) / 2;
        coarse.push_back({.first = first, .count = (span.first + span.count + 1) / 2 - first});
    }
    return coarse;
}

Cells whole_cells(const PoissonGrid& grid) {
    return {grid.axes[0].cells, grid.axes[1].cells, grid.axes[2].cells};
}

bool leaves_one_out(const Split& split) {
    return std::ranges::any_of(split, [](const std::vector<CellSpan>& spans) {
        return std::ranges::any_of(spans, [](const CellSpan& span) { return span.count == 0; });
    });
}

} // namespace

PoissonLevels::PoissonLevels(const PoissonGrid& finest, const Ranks& ranks,
                             std::uint64_t gather_cells)
    : PoissonLevels(finest, ranks, split_of(whole_cells(finest), ranks), gather_cells) {}

PoissonLevels::PoissonLevels(const PoissonGrid& finest, const Ranks& ranks, const Split& split,
                             std::uint64_t gather_cells)
    : ranks_(ranks) {
    levels_.push_back({.grid = finest, .split = split, .is_whole = ranks.size() == 1});
    do {
        const PoissonLevel& fine = levels_.back();
        PoissonLevel coarse{.grid = passes::coarsened(fine.grid), .split = fine.split};
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (coarse.grid.axes[axis].cells != fine.grid.axes[axis].cells)
                coarse.split[axis] = coarsened(fine.split[axis]);
        coarse.is_whole = fine.is_whole || leaves_one_out(coarse.split);
        levels_.push_back(std::move(coarse));
    } while (levels_.back().grid.count() > gather_cells);
    levels_.back().is_whole = true;
}

Cells PoissonLevels::cells(std::size_t level) const {
    return whole_cells(grid(level));
}

PartLayout PoissonLevels::own(std::size_t level, std::uint32_t halo, std::uint32_t rank) const {
    const std::array<std::uint32_t, 3> place = ranks_.place_of(rank);
    PartLayout layout;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::vector<CellSpan>& spans = levels_[level].split[axis];
        layout.first[axis] = spans[place[axis]].first;
        layout.cells[axis] = spans[place[axis]].count;
        if (spans.size() > 1) layout.halo[axis] = halo;
    }
    return layout;
}

PartLayout PoissonLevels::layout(std::size_t level) const {
    if (is_whole(level)) return {.first = {}, .cells = cells(level), .halo = {}};
    return own(level, kHalo, ranks_.rank);
}

PartLayout PoissonLevels::restricted_layout(std::size_t level) const {
    const bool is_gathered = is_whole(level) && !is_whole(level - 1);
    return is_gathered ? own(level, 0, ranks_.rank) : layout(level);
}

BoxesOf PoissonLevels::halo_boxes(std::size_t level, std::uint32_t width) const {
    Field field{.cells = cells(level)};
    const Cells room = layout(level).halo;
    Cells outside{}; // of the halo: not filled
    for (std::size_t axis = 0; axis < 3; ++axis) {
        field.edges[axis] = grid(level).axes[axis].wraps ? HaloEdge::periodic : HaloEdge::keep;
        if (room[axis] == 0) continue;
        field.halo[axis] = width;
        outside[axis] = room[axis] - width;
    }
    return [field, room, outside, ranks = ranks_, split = levels_[level].split](std::uint32_t to) {
        std::vector<CellBox> boxes = passes::halo_boxes(field, split, ranks, to);
        for (CellBox& box : boxes)
            for (std::size_t axis = 0; axis < 3; ++axis) {
                box.source[axis] += room[axis];
                box.target[axis] += outside[axis];
            }
        return boxes;
    };
}

BoxesOf PoissonLevels::gather_boxes(std::size_t level) const {
    std::vector<CellBox> boxes;
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
        const PartLayout part = own(level, 0, rank);
        if (part.count() > 0)
            boxes.push_back({.from = rank, .source = {}, .target = part.first, .size = part.cells});
    }
    return [boxes](std::uint32_t) { return boxes; };
}

} // namespace tuff::passes
