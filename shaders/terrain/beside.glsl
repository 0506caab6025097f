// What lies next to a cell of a level, across its sides: -u, +u, -v, +v are 0 to 3. Above:
// terrain/surface.glsl. C++: passes/terrain/beside.hpp.
#ifndef TERRAIN_BESIDE
#define TERRAIN_BESIDE

// Moves a cell of `count` x `count` over a side; false at the end of a square that ends there.
// `side` becomes the side of the new cell that is shared. What runs along it does so the same way.
bool step_beside(inout uint face, inout uvec2 cell, inout uint side, uint count) {
    int axis = int(side >> 1u);
    bool up = (side & 1u) != 0u;
    uint last = count - 1u;
    if (cell[axis] != (up ? last : 0u)) {
        cell[axis] = up ? cell[axis] + 1u : cell[axis] - 1u;
        side ^= 1u;
        return true;
    }
    if (surface_kind == kSurfacePlanet) {
        // The faces' axes are the cube's, so cells keep their number along the edge, and lie at the
        // end that this face is at.
        ivec3 axes = face_axes(face);
        uint end = (face & 1u) == 0u ? last : 0u;
        int out_axis = axis == 0 ? axes.x : axes.y;
        uint along = axis == 0 ? cell.y : cell.x;
        uint other = 2u * uint(out_axis) + (up ? 0u : 1u);
        bool is_u = face_axes(other).x == axes.z;
        side = (is_u ? 0u : 2u) + ((face & 1u) == 0u ? 1u : 0u);
        cell = is_u ? uvec2(end, along) : uvec2(along, end);
        face = other;
        return true;
    }
    if (!surface_closes()[axis]) return false;
    cell[axis] = up ? 0u : last;
    side ^= 1u;
    return true;
}

#endif
