// Cells of a set: every second one along each axis that is cut. The set's bits are the parities of the
// axes that are cut, x first, then z, then y.
#ifndef BODIES_SETS
#define BODIES_SETS
#include "grid.glsl"

uint set_of(uvec3 cell, uvec3 cells) {
    uint set = 0u;
    uint bit = 1u;
    if (cells.x > 1u) {
        set += bit * (cell.x & 1u);
        bit <<= 1u;
    }
    if (cells.z > 1u) {
        set += bit * (cell.z & 1u);
        bit <<= 1u;
    }
    if (cells.y > 1u) set += bit * (cell.y & 1u);
    return set;
}

uvec3 cell_at(uint index, uvec3 cells) {
    uint x = index % cells.x;
    uint rest = index / cells.x;
    return uvec3(x, rest / cells.z, rest % cells.z);
}

// The cell of group `group` of those of a set.
uvec3 cell_of_group(uint group, uint set, uvec3 cells) {
    uvec3 halves = max(cells / 2u, uvec3(1u));
    uvec3 place = uvec3(group % halves.x, group / (halves.x * halves.z), group / halves.x % halves.z);
    uvec3 cell = place;
    uint bit = 0u;
    if (cells.x > 1u) cell.x = 2u * place.x + ((set >> bit++) & 1u);
    if (cells.z > 1u) cell.z = 2u * place.z + ((set >> bit++) & 1u);
    if (cells.y > 1u) cell.y = 2u * place.y + ((set >> bit) & 1u);
    return cell;
}
#endif
