#pragma once

#include "passes/fft/axis.hpp"
#include "passes/mpi/division.hpp"
#include "passes/mpi/messages.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// How complex numbers get from lines along one axis to lines along another without kernels that
/// sort them: the transform of the former writes them as the messages have them, that of the latter
/// reads them there. They go in slabs across the third axis, one of which travels while others are
/// transformed.
namespace tuff::passes {

inline constexpr std::uint32_t kWordsOfComplex = 2;
inline constexpr std::uint32_t kBytesOfComplex = 4 * kWordsOfComplex;

/// How ranks have lines along an axis.
struct DividedLines {
    Division division;
    std::size_t axis = 0;
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
    std::uint32_t own = 0;       ///< this rank

    std::size_t across() const { return 3 - from - to; }
};

/// The most slabs: each has a wait of its own.
inline constexpr std::uint32_t kMaxSlabs = 4;

/// In slabs of which `slab_bytes` travel, or more. Nothing where all cells stay, where boxes meet
/// otherwise than by cutting lines, or where slabs are too large for a buffer. All ranks get alike
/// answers.
std::optional<LineMove> line_move(const DividedLines& before, const DividedLines& after,
                                  const Cells& cells, std::uint32_t own, std::uint64_t slab_bytes);

/// An array of some places of lines along an axis.
struct LinePiece {
    CellSpan places{};
    std::uint32_t offset = 0; ///< numbers before it
    Cells size{};
};
/// The buffer of a slab: what other ranks get, then the cells that this one has afterwards, of
/// which it writes its own itself.
struct SlabLayout {
    std::vector<LinePiece> before; ///< as the former lines are written
    std::vector<LinePiece> after;  ///< as the latter are read
    std::uint64_t sent = 0;        ///< numbers
    std::uint64_t received = 0;
    Messages messages; ///< of the bytes of the one and of the other
};
SlabLayout slab_layout(const LineMove& move, const CellSpan& slab);

/// Where lines along `axis` are in these pieces, if their lowest cell is `corner`. Lines are
/// counted as `line_counts` has it.
FftPlaces line_places(std::span<const LinePiece> pieces, std::size_t axis, const Cells& corner);

/// `FftAxis::inner` and `outer` of lines of a box.
struct LineCounts {
    std::uint64_t inner = 1;
    std::uint64_t outer = 1;
};
LineCounts line_counts(const Cells& box, std::size_t axis);

} // namespace tuff::passes
