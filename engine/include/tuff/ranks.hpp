#pragma once

#include <tuff/diagnostic.hpp>

#include <array>
#include <cstdint>

/// Fields that several processes, the *ranks*, have in parts. Each rank has one box of cells of the
/// field; the boxes form a grid.
namespace tuff {

class Communicator; // tuff/communicator.hpp

/// The cells of one rank along one axis.
struct CellSpan {
    std::uint32_t first = 0; ///< of the whole field
    std::uint32_t count = 0; ///< at least 1
    friend bool operator==(const CellSpan&, const CellSpan&) = default;
};

/// The part of `cells` cells that rank `rank` of `ranks` has along one axis. Parts differ by at
/// most one cell; the larger ones come first. `rank` is below `ranks`, which is at most `cells`.
CellSpan part_of(std::uint32_t cells, std::uint32_t ranks, std::uint32_t rank);

/// The ranks of a field, as a grid. Ranks are numbered along x first, then y, then z.
struct Ranks {
    std::array<std::uint32_t, 3> grid = {1, 1, 1}; ///< ranks along x, y, z
    std::uint32_t rank = 0;                        ///< this process
    Communicator* communicator = nullptr;          ///< with the others; null: there are none

    /// Number of ranks.
    std::uint32_t size() const { return grid[0] * grid[1] * grid[2]; }
    /// The place of a rank in the grid.
    std::array<std::uint32_t, 3> place_of(std::uint32_t of) const {
        return {of % grid[0], of / grid[0] % grid[1], of / grid[0] / grid[1]};
    }
    /// The place of this rank in the grid.
    std::array<std::uint32_t, 3> place() const { return place_of(rank); }
    /// The rank at a place in the grid.
    std::uint32_t rank_at(const std::array<std::uint32_t, 3>& at) const {
        return at[0] + grid[0] * (at[1] + grid[1] * at[2]);
    }
    /// The cells of a rank of a field of `cells` cells, along x, y, z.
    std::array<CellSpan, 3> part(const std::array<std::uint32_t, 3>& cells, std::uint32_t of) const;
    /// The cells of this rank.
    std::array<CellSpan, 3> part(const std::array<std::uint32_t, 3>& cells) const {
        return part(cells, rank);
    }
    /// Error `mpi/too-many-ranks` if a rank would have no cell of such a field.
    Result<void> check(const std::array<std::uint32_t, 3>& cells) const;

    friend bool operator==(const Ranks&, const Ranks&) = default;
};

/// What lies in the halo beyond the ends of a field along an axis.
enum class FieldEnd : std::uint8_t {
    kept,   ///< what the pass that fills it says; checkpoints hold it
    joined, ///< the cells of the other end
    unread, ///< nothing that is read
};

/// How an image or a buffer holds a rank's part of a field: the cells of the part, and a halo of
/// others around them.
struct FieldPart {
    std::array<std::uint32_t, 3> cells = {1, 1, 1}; ///< of the whole field, along x, y, z
    std::array<std::uint32_t, 3> halo = {0, 0, 0};  ///< cells on each side
    std::array<FieldEnd, 3> ends = {};              ///< of the field along x, y, z
    std::array<std::uint32_t, 3> fine = {1, 1, 1};  ///< elements of a cell along x, y, z
    std::uint32_t arrays = 1;                       ///< one behind the other, in a buffer
    friend bool operator==(const FieldPart&, const FieldPart&) = default;

    /// Elements that one of `ranks` holds of an array, halo included.
    std::array<std::uint32_t, 3> size(const Ranks& ranks, std::uint32_t rank) const;
    /// Elements of the whole field in a checkpoint, with the halo at the ends that are kept.
    std::array<std::uint32_t, 3> whole() const;
};

} // namespace tuff
