#pragma once

#include "passes/terrain/planet.hpp"
#include "passes/terrain/surface.hpp"

#include <cstdint>
#include <optional>

namespace tuff::passes {

/// Parametric ends of the square that are joined: u, v.
struct SurfaceCloses {
    bool u = false;
    bool v = false;
};
constexpr SurfaceCloses surface_closes(SurfaceKind kind) {
    const bool tube = kind == SurfaceKind::torus || kind == SurfaceKind::knot;
    return {tube || kind == SurfaceKind::sphere, tube};
}

/// A cell of a level, and one of its sides: -u, +u, -v, +v are 0 to 3.
struct CellSide {
    std::uint32_t face = 0;
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    std::uint32_t side = 0;
    friend bool operator==(const CellSide&, const CellSide&) = default;
};

/// The neighbour across the side, in a grid of `count` x `count` cells, and the same side from the
/// neighbour's view; nothing at an open border of a square. As in shaders/terrain/surface.glsl.
constexpr std::optional<CellSide> beside(SurfaceKind kind, CellSide at, std::uint32_t count) {
    const bool is_u = at.side < 2;
    const bool up = at.side % 2 != 0;
    std::uint32_t& moved = is_u ? at.x : at.y;
    if (moved != (up ? count - 1 : 0)) {
        moved = up ? moved + 1 : moved - 1;
        at.side ^= 1;
        return at;
    }
    if (kind == SurfaceKind::planet) {
        const auto axes = face_axes(at.face);
        const std::uint32_t end = at.face % 2 == 0 ? count - 1 : 0;
        const std::uint32_t other = 2 * (is_u ? axes[0] : axes[1]) + (up ? 0 : 1);
        const std::uint32_t along = is_u ? at.y : at.x;
        const bool lies_along_u = face_axes(other)[0] == axes[2];
        const std::uint32_t side = (lies_along_u ? 0u : 2u) + (at.face % 2 == 0 ? 1u : 0u);
        if (lies_along_u) return CellSide{other, end, along, side};
        return CellSide{other, along, end, side};
    }
    const SurfaceCloses closes = surface_closes(kind);
    if (!(is_u ? closes.u : closes.v)) return {};
    moved = up ? 0 : count - 1;
    at.side ^= 1;
    return at;
}

} // namespace tuff::passes
