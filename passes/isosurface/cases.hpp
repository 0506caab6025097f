#pragma once

#include <tuff/graph.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

/// The surface in a cell, for each set of its corners that are inside. Corner c of a cell has bit 0
/// along x, bit 1 along y, bit 2 along z. Edge 4 * axis + j begins at the j-th corner without the
/// axis's bit. Faces are 2 * axis + side.
namespace tuff::passes {

inline constexpr std::uint32_t kCellEdges = 12;
inline constexpr std::uint32_t kCellFaces = 6;
/// Among a triangle's edges: the vertex in the center of the cell.
inline constexpr std::uint32_t kCellCentre = 12;

struct CellCase {
    /// Closed loops of edges around the surface, counter-clockwise as seen from outside.
    std::vector<std::vector<std::uint32_t>> loops;
    /// Edges, or `kCellCentre`. No common edge of two triangles lies in a face of the cell, so in
    /// each of the two cells at a face every edge in it occurs once.
    std::vector<std::array<std::uint32_t, 3>> triangles;
    bool has_centre = false; ///< a loop has a vertex in its center; there is at most one such loop
};

/// Whether two opposite corners of a face are inside and the other two outside.
bool is_ambiguous(std::uint32_t inside, std::uint32_t face);

/// The surface if the corners of the set `inside` are inside. Ambiguous faces of the set `joined`
/// are cut around their outer corners, others around their inner ones.
CellCase cell_case(std::uint32_t inside, std::uint32_t joined);

/// In a cell without joined faces: the face whose two cuts belong to the same loop.
std::optional<std::uint32_t> doubled_face(std::uint32_t inside);

/// The tables of shaders/isosurface/cases.glsl.
struct CaseTables {
    Buffer cases;
    Buffer triangles;
};
CaseTables case_tables(Graph& graph);

} // namespace tuff::passes
