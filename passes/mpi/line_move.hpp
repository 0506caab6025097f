#pragma once

#include "passes/mpi/division.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

/// How complex numbers get from lines along one axis to lines along another without kernels that
/// sort them: the transform of the former writes them as the messages have them, that of the latter
/// reads them there (move_layout.hpp). They go in parts, one of which travels while others are
/// transformed: in slabs across the third axis, and in cuts of what is whole lines along several
/// axes on one side of the move.
namespace tuff::passes {

inline constexpr std::uint32_t kWordsOfComplex = 2;
inline constexpr std::uint32_t kBytesOfComplex = 4 * kWordsOfComplex;

/// How ranks have lines along an axis.
struct DividedLines {
    Division division;
    std::size_t axis = 0;
};

/// Whose cells are cut besides: a cut can be transformed along all axes that are whole there before
/// the next one is begun.
enum class CutSide : std::uint8_t {
    none,
    before, ///< across the axis of the lines after the move
    after,  ///< across the axis of the lines before the move
};

struct LineMove {
    /// What this rank and another one exchange; a span may be empty.
    struct Share {
        std::uint32_t rank = 0;
        CellSpan sent{};     ///< places of the lines before
        CellSpan received{}; ///< places of the lines after
    };
    std::size_t from = 0; ///< axis of the lines before
    std::size_t to = 0;   ///< axis of the lines after
    Cells before{};       ///< cells of this rank
    Cells after{};
    std::vector<Share> shares;   ///< in the order of the places that are received
    std::vector<CellSpan> slabs; ///< of these cells along the third axis
    CutSide side = CutSide::none;
    std::uint32_t cuts = 1; ///< of the cells before or after along `cut_axis()`
    std::uint32_t own = 0;  ///< this rank

    std::size_t across() const { return 3 - from - to; }
    std::size_t cut_axis() const { return side == CutSide::after ? from : to; }
    /// One of the cuts of so many cells, by any rank.
    CellSpan cut_of(std::uint32_t cells, std::uint32_t cut) const;
    /// The same of the cells of this rank.
    CellSpan cut(std::uint32_t cut) const;
};

/// The most slabs or cuts: each has a wait of its own.
inline constexpr std::uint32_t kMaxSlabs = 4;

struct MoveLimits {
    std::uint64_t slab_bytes = 1; ///< of slabs or cuts at least that much travels
    CutSide side = CutSide::none;
    /// Where so much travels and slabs suffice there are no cuts: kernels of cuts are shorter, and
    /// slabs hide almost as much.
    std::uint64_t uncut_bytes = ~std::uint64_t{0};
};

/// Nothing where all cells stay, where boxes meet otherwise than by cutting lines, or where the
/// numbers are too many for a buffer. All ranks get alike answers.
std::optional<LineMove> line_move(const DividedLines& before, const DividedLines& after,
                                  const Cells& cells, std::uint32_t own, const MoveLimits& limits);

} // namespace tuff::passes
