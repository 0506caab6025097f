#include "passes/mpi/division.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace tuff::passes {
namespace {

/// Nothing where the boxes do not meet.
std::optional<TexelBox> intersection(const TexelBox& a, const TexelBox& b) {
    TexelBox both;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        both.corner[axis] = std::max(a.corner[axis], b.corner[axis]);
        const std::uint32_t end =
            std::min(a.corner[axis] + a.size[axis], b.corner[axis] + b.size[axis]);
        if (end <= both.corner[axis]) return {};
        both.size[axis] = end - both.corner[axis];
    }
    return both;
}

/// Where a cell of the field is in the array of a part.
Cells place_in(const TexelBox& part, const Cells& halo, const Cells& cell) {
    Cells place{};
    for (std::size_t axis = 0; axis < 3; ++axis)
        place[axis] = cell[axis] - part.corner[axis] + halo[axis];
    return place;
}

Cells with_halo(const TexelBox& box, const Cells& halo) {
    Cells size = box.size;
    if (count_of(size) == 0) return {};
    for (std::size_t axis = 0; axis < 3; ++axis)
        size[axis] += 2 * halo[axis];
    return size;
}

bool have_the_same_boxes(const Division& a, const Division& b, const Cells& cells) {
    for (std::uint32_t rank = 0; rank < a.places.size(); ++rank)
        if (a.box(cells, rank) != b.box(cells, rank)) return false;
    return true;
}

} // namespace

TexelBox Division::box(const Cells& cells, std::uint32_t rank) const {
    const std::uint32_t place = places[rank];
    if (place >= count_of(grid)) return {};
    const Cells at{place % grid[0], place / grid[0] % grid[1], place / grid[0] / grid[1]};
    TexelBox box;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const CellSpan span = part_of(cells[axis], grid[axis], at[axis]);
        if (span.count == 0) return {};
        box.corner[axis] = span.first;
        box.size[axis] = span.count;
    }
    return box;
}

Division domain_division(const Ranks& ranks) {
    Division division{.grid = ranks.grid, .places = std::vector<std::uint32_t>(ranks.size())};
    std::iota(division.places.begin(), division.places.end(), 0u);
    return division;
}

DividedArray redistribute(Graph& graph, std::string_view name, const DividedArray& source,
                          const Cells& cells, const Division& division, const Cells& halo) {
    if (source.halo == halo && have_the_same_boxes(source.division, division, cells)) return source;
    graph.push_scope(name);
    const std::uint32_t own = graph.ranks().rank;
    DividedArray result{.division = division, .halo = halo};
    result.part = {{}, with_halo(division.box(cells, own), halo), source.part.words};
    const std::uint64_t bytes = count_of(result.part.size) * packed_cell_bytes(graph, source.part);
    if (bytes > 0) {
        result.part.buffer =
            graph.buffer("cells", {.size = bytes, .stride = 4 * source.part.words});
        if (halo != Cells{}) result.part.buffer = graph.fill(result.part.buffer, 0, "clear");
    }
    result.part = transfer_boxes(graph, source.part, result.part, [&](std::uint32_t to) {
        const TexelBox target = division.box(cells, to);
        std::vector<CellBox> boxes;
        for (std::uint32_t from = 0; from < graph.ranks().size(); ++from) {
            const TexelBox box = source.division.box(cells, from);
            if (const auto both = intersection(box, target))
                boxes.push_back({.from = from,
                                 .source = place_in(box, source.halo, both->corner),
                                 .target = place_in(target, halo, both->corner),
                                 .size = both->size});
        }
        return boxes;
    });
    graph.pop_scope();
    return result;
}

} // namespace tuff::passes
