#pragma once

#include <tuff/pass.hpp>
#include <tuff/ranks.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

/// Which texels of a rank's image come from which rank.
///
/// A rank has a box of cells of a field, its part. In its image the part is surrounded by a halo, a
/// few texels wide, for cells of other ranks.
namespace tuff::passes {

/// What the halo holds beyond the ends of the field along an axis.
enum class HaloEdge : std::uint8_t {
    clamp,    ///< the nearest cell
    periodic, ///< the field goes on at its other end
    keep,     ///< what the image held before
};

using Cells = std::array<std::uint32_t, 3>; ///< along x, y, z
using HaloEdges = std::array<HaloEdge, 3>;

/// A field, and how its ranks have it. Along an axis that `halo` has 0 for there is no halo.
struct Field {
    Cells cells{1, 1, 1};
    Cells halo{};
    HaloEdges edges{};
};

/// A box of cells that travels.
struct CellBox {
    std::uint32_t from = 0; ///< rank
    Cells source{};         ///< its lowest cell, counted in the sender's part
    Cells target{};         ///< its lowest texel in the receiver's image, with halo
    Cells size{};           ///< cells
    std::uint64_t count() const { return std::uint64_t{size[0]} * size[1] * size[2]; }
};

/// The cells along each axis that the ranks at each place of the grid have.
using Split = std::array<std::vector<CellSpan>, 3>;

/// How a field of `cells` cells is divided.
Split split_of(const Cells& cells, const Ranks& ranks);

/// What the halo of rank `to` is made of: box by box, in the same order on all ranks.
std::vector<CellBox> halo_boxes(const Field& field, const Ranks& ranks, std::uint32_t to);
/// The same of a field that is divided as `split` says: no rank is without cells.
std::vector<CellBox> halo_boxes(const Field& field, const Split& split, const Ranks& ranks,
                                std::uint32_t to);

/// Size of a rank's image, with halo.
Cells texels_of(const Field& field, const Ranks& ranks, std::uint32_t rank);

/// Reports what is wrong with `image` as this rank's part of `field` and returns false:
/// `mpi/too-many-ranks`, `mpi/part-size`, `mpi/unsupported-format`.
[[nodiscard]] bool is_part_of(Graph& graph, Image image, const Field& field);
/// The same of an image of the whole field.
[[nodiscard]] bool is_whole(Graph& graph, Image image, const Field& field);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::HaloEdge> {
    static constexpr std::array<std::string_view, 3> names{"clamp", "periodic", "keep"};
};
