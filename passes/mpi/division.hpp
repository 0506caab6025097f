#pragma once

#include "passes/mpi/boxes.hpp"
#include "passes/mpi/transfer.hpp"

#include <tuff/graph.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

/// Ways to divide a field among ranks, and how its cells get from one to another.
namespace tuff::passes {

/// A grid of boxes whose sides differ by at most one cell, and who has which. A box is empty where
/// an axis has fewer cells than boxes.
struct Division {
    Cells grid{1, 1, 1};
    std::vector<std::uint32_t> places; ///< of each rank, x fastest; beyond the grid: it has nothing

    /// The cells of a rank of a field of `cells` cells. All sides are 0 where it has none.
    TexelBox box(const Cells& cells, std::uint32_t rank) const;
    friend bool operator==(const Division&, const Division&) = default;
};

/// The one of the config's domain.
Division domain_division(const Ranks& ranks);

inline std::uint64_t count_of(const Cells& sides) {
    return std::uint64_t{sides[0]} * sides[1] * sides[2];
}

/// An array, and how ranks have it. `halo` cells around each part are not of the field.
struct DividedArray {
    CellArray part; ///< not connected where this rank has no cells
    Division division;
    Cells halo{};
};

/// The same field of `cells` cells, divided in another way. Halos become 0.
DividedArray redistribute(Graph& graph, std::string_view name, const DividedArray& source,
                          const Cells& cells, const Division& division, const Cells& halo = {});

} // namespace tuff::passes
