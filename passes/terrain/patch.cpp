#include "passes/terrain/patch.hpp"

namespace tuff::passes {
namespace {

/// The vertex in whose place the one at (x, y) is drawn.
std::uint32_t stitched_vertex(std::uint32_t side, std::uint32_t x, std::uint32_t y,
                              std::uint32_t coarser) {
    const bool along_y = (x == 0 && (coarser & 1)) || (x == side && (coarser & 2));
    const bool along_x = (y == 0 && (coarser & 4)) || (y == side && (coarser & 8));
    return grid_vertex(side, along_x ? x & ~1u : x, along_y ? y & ~1u : y);
}

} // namespace

std::vector<std::uint32_t> patch_triangles(std::uint32_t side, std::uint32_t coarser) {
    std::vector<std::uint32_t> indices;
    const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        if (a != b && b != c && c != a) indices.insert(indices.end(), {a, b, c});
    };
    for (std::uint32_t y = 0; y < side; ++y)
        for (std::uint32_t x = 0; x < side; ++x) {
            const std::uint32_t low = stitched_vertex(side, x, y, coarser);
            const std::uint32_t right = stitched_vertex(side, x + 1, y, coarser);
            const std::uint32_t up = stitched_vertex(side, x, y + 1, coarser);
            const std::uint32_t high = stitched_vertex(side, x + 1, y + 1, coarser);
            add(low, up, right);
            add(right, up, high);
        }
    return indices;
}

std::array<double, 2> morph_limits(double reach) {
    // Half a diagonal of a cell, seen from distances that the centres are compared at.
    return {0.5 + 0.3536 / reach, 1.0 - 0.7072 / reach};
}

} // namespace tuff::passes
