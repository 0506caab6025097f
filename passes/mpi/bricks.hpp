#pragma once

#include "passes/mpi/boxes.hpp"
#include "passes/sparse/store.hpp"

#include <tuff/graph.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

/// A sparse store that ranks have in parts. The store of a rank has the shape of the whole domain.
/// Its part is a box of bricks: it decides which of these are active, and its store may also have
/// copies of bricks of other ranks.
///
///     const auto border = halo_border(graph, shape, capacity);
///     const SharedClaims shared = share_bricks(graph, *border, claims.list, claims.map);
///     const SparseBricks bricks = allocate_bricks(graph, shared.claims); // also the halo's
///     field = fill_copies(graph, *border, shared.lists, bricks, field, words);
namespace tuff::passes {

/// Bricks that a message has places for.
struct BorderPeer {
    std::uint32_t rank = 0;
    std::uint32_t first = 0;  ///< places of the peers before
    std::uint32_t places = 0; ///< bricks at most
    std::uint32_t bricks = 0; ///< of all boxes before those of this one
};

/// Bricks that may travel in one direction, by the rank at the other end.
struct BorderSide {
    std::vector<TexelBox> boxes; ///< of bricks of the domain
    std::vector<BorderPeer> peers;
    std::uint32_t places = 0; ///< of all peers
    std::uint32_t bricks = 0; ///< of all boxes
};

/// Which bricks may travel between this rank and the others.
struct BrickBorder {
    SparseShape shape;
    SparseBox part;   ///< bricks of this rank
    BorderSide inner; ///< bricks of this rank that others have copies of
    BorderSide outer; ///< bricks of others that this rank has copies of
};

/// Copies of all bricks that touch a part, also across ends that are periodic. `capacity`: how many
/// bricks go to one rank at most. Reports errors: mpi/too-many-ranks, mpi/dense-store,
/// mpi/periodic-bricks.
std::optional<BrickBorder> halo_border(Graph& graph, const SparseShape& shape,
                                       std::uint32_t capacity);
/// Rank 0 has copies of all bricks. `capacity`: how many one rank sends at most. Reports errors:
/// mpi/too-many-ranks, mpi/dense-store.
std::optional<BrickBorder> gather_border(Graph& graph, const SparseShape& shape,
                                         std::uint32_t capacity);

/// What did not fit into messages.
struct BorderStatus {
    std::uint32_t left_out = 0; ///< bricks
    std::uint32_t most = 0;     ///< bricks that there were for one rank
    std::uint32_t places = 0;   ///< and how many its message can have

    static constexpr std::string_view kStructName = "BorderStatus";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(BorderStatus, left_out), TUFF_MEMBER(BorderStatus, most),
                          TUFF_MEMBER(BorderStatus, places)};
    }
    static BorderStatus read(std::span<const std::uint32_t> words);
    /// Reports mpi/border-full.
    Diagnostics warnings() const;
};

/// The numbers of the bricks that travel.
struct BorderLists {
    Buffer sent;     ///< of `BrickBorder::inner`
    Buffer received; ///< of `BrickBorder::outer`
    Buffer status;   ///< `BorderStatus`; unconnected: nothing is sent
};

/// The claims of a rank's part, and those of the copies that it gets.
struct SharedClaims {
    SparseClaims claims;
    BorderLists lists;
};

/// Claims the bricks of the part that `list` has, and copies of what other ranks claim in this way.
/// Slots that `map` has for either are kept. Bricks of the part get slots first.
SharedClaims share_bricks(Graph& graph, const BrickBorder& border, Buffer list, Buffer map);

/// Claims on bricks of other ranks become claims of these, if their bricks touch this rank's part.
/// Slots are those of `bricks`.
SparseClaims send_claims(Graph& graph, const BrickBorder& border, SparseClaims claims,
                         const SparseBricks& bricks);

/// Fills the copies in a field from the ranks that have the bricks, in place. `brick_words`: of a
/// brick of the field. `bricks` have been shared by `lists`.
Buffer fill_copies(Graph& graph, const BrickBorder& border, const BorderLists& lists,
                   const SparseBricks& bricks, Buffer field, std::uint32_t brick_words);

/// A copy of a field of `cell_bytes` a cell, with as many slots as the store of `border`, which may
/// be more than the field has.
Buffer field_with_room(Graph& graph, const BrickBorder& border, Buffer field,
                       std::uint32_t cell_bytes);

/// The same store without copies.
SparseBricks own_bricks(Graph& graph, const BrickBorder& border, const SparseBricks& bricks);

} // namespace tuff::passes
