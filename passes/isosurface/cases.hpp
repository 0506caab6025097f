#pragma once

#include <tuff/graph.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

/// What a cell's surface is, for each set of its corners that are inside. Corner c of a cell has
/// bit 0 along x, bit 1 along y, bit 2 along z; edge 4 * axis + j begins at the j-th of the corners
/// without the axis's bit; face 2 * axis + side.
namespace tuff::passes {

inline constexpr std::uint32_t kCellEdges = 12;
inline constexpr std::uint32_t kCellFaces = 6;
/// Stands for the vertex in the middle among a triangle's edges.
inline constexpr std::uint32_t kCellCentre = 12;

struct CellCase {
    /// Closed chains of edges that the surface goes around through, counter-clockwise as seen from
    /// outside.
    std::vector<std::vector<std::uint32_t>> loops;
    /// Of edges, or `kCellCentre`. No two triangles' common edge lies in a face of the cell, so
    /// each edge in a face is met once in either of its cells.
    std::vector<std::array<std::uint32_t, 3>> triangles;
    bool has_centre = false; ///< a loop has a vertex in its middle; there is at most one such loop
};

/// Whether two opposite corners of a face are inside, and the others are not.
bool is_ambiguous(std::uint32_t inside, std::uint32_t face);

/// The surface where the corners of the set `inside` are. An ambiguous face of the set `joined` is
/// cut around its outer corners, others around their inner ones.
CellCase cell_case(std::uint32_t inside, std::uint32_t joined);

/// The face, in a cell that joins none, both cuts of which belong to one loop.
std::optional<std::uint32_t> doubled_face(std::uint32_t inside);

/// The tables of shaders/isosurface/cases.glsl.
struct CaseTables {
    Buffer cases;
    Buffer triangles;
};
CaseTables case_tables(Graph& graph);

} // namespace tuff::passes
