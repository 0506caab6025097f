#pragma once

#include <array>
#include <cstdint>
#include <vector>

/// The grid of a leaf: shaders/terrain/patch.glsl.
namespace tuff::passes {

/// How the edges of leaves are joined to coarser ones. The kernels have the same values.
enum class Stitching : std::uint8_t { snap, indices, morph, none };

/// A vertex of the grid by its index: row by row, (side + 1) a row.
constexpr std::uint32_t grid_vertex(std::uint32_t side, std::uint32_t x, std::uint32_t y) {
    return y * (side + 1) + x;
}

/// Triangles of a grid of `side` x `side` cells, three indices each, counter-clockwise seen from
/// above. `coarser`: bits for the sides -x, +x, -y, +y whose neighbour is a leaf of the next
/// coarser level; odd vertices there are skipped.
std::vector<std::uint32_t> patch_triangles(std::uint32_t side, std::uint32_t coarser);

/// The range of a morph that is still 0 next to finer leaves and already 1 next to coarser ones, as
/// shares of the distance at which the parent is divided. `reach`: k over 2 tan(fov / 2), above
/// 2.2.
std::array<double, 2> morph_limits(double reach);

} // namespace tuff::passes
