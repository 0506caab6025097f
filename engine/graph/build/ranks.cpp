#include <tuff/ranks.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace tuff {

CellSpan part_of(std::uint32_t cells, std::uint32_t ranks, std::uint32_t rank) {
    const std::uint32_t least = cells / ranks;
    const std::uint32_t larger = cells % ranks; // how many parts have a cell more
    return {rank * least + std::min(rank, larger), least + (rank < larger ? 1 : 0)};
}

std::array<CellSpan, 3> Ranks::part(const std::array<std::uint32_t, 3>& cells,
                                    std::uint32_t of) const {
    const std::array<std::uint32_t, 3> at = place_of(of);
    std::array<CellSpan, 3> result;
    for (std::size_t axis = 0; axis < 3; ++axis)
        result[axis] = part_of(cells[axis], grid[axis], at[axis]);
    return result;
}

Result<void> Ranks::check(const std::array<std::uint32_t, 3>& cells) const {
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (cells[axis] < grid[axis])
            return fail("mpi/too-many-ranks",
                        fmt::format("{} cells along {} cannot be divided among {} ranks",
                                    cells[axis], "xyz"[axis], grid[axis]),
                        "every rank needs a cell: use fewer ranks along this axis");
    return {};
}

std::array<std::uint32_t, 3> FieldPart::size(const Ranks& ranks, std::uint32_t rank) const {
    const auto part = ranks.part(cells, rank);
    std::array<std::uint32_t, 3> result{};
    for (std::size_t axis = 0; axis < 3; ++axis)
        result[axis] = fine[axis] * (part[axis].count + 2 * halo[axis]);
    return result;
}

std::array<std::uint32_t, 3> FieldPart::whole() const {
    std::array<std::uint32_t, 3> result{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::uint32_t beyond = ends[axis] == FieldEnd::kept ? 2 * halo[axis] : 0;
        result[axis] = fine[axis] * (cells[axis] + beyond);
    }
    return result;
}

} // namespace tuff
