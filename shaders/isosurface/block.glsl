// A block of points with the layer behind it, and what each point owns: the edges that begin there,
// and the cell whose first corner it is. DUAL=0: a vertex is on an edge, triangles belong to cells;
// DUAL=1: vertices belong to cells, and two triangles to an edge.
#ifndef ISOSURFACE_BLOCK
#define ISOSURFACE_BLOCK

#include "blocks.glsl"
#include "cases.glsl"
#include "grid.glsl"
#include "sides.glsl"

layout(constant_id = 20) const uint kDecider = 0u; // ambiguous faces are cut by their saddles
layout(constant_id = 21) const uint kMasked = 0u;  // there is a mask

uniform usampler3D valid_cells;

struct Cell {
    uint inside;
    uint joined;
    bool is_valid;
};

bool is_unmasked(ivec3 cell) {
    if (kMasked == 0u) return true;
    ivec3 last = min(params.dims - 1, textureSize(valid_cells, 0)) - 1;
    return texelFetch(valid_cells, clamp(cell - params.shell, ivec3(0), max(last, 0)), 0).x != 0u;
}

bool has_cell(ivec3 cell) {
    return all(greaterThanEqual(cell, ivec3(0))) && all(lessThan(cell, lattice() - 1));
}

// The bit of each face between whose inner corners the bilinear field stays inside. Both cells at
// the face multiply the same numbers, and so agree.
uint joined_faces(float heights[8], uint inside) {
    uint joined = 0u;
    for (uint face = 0u; face < 6u; ++face) {
        uint axis = face >> 1;
        uint u = 1u << (axis + 1u) % 3u;
        uint v = 1u << (axis + 2u) % 3u;
        uint first = (face & 1u) << axis;
        bool along = (inside >> first & 1u) != 0u;
        if (along != ((inside >> (first | u | v) & 1u) != 0u)) continue;
        bool across = (inside >> (first | u) & 1u) != 0u;
        if (across == along || across != ((inside >> (first | v) & 1u) != 0u)) continue;
        precise float diagonal = heights[first] * heights[first | u | v];
        precise float other = heights[first | u] * heights[first | v];
        if (along ? diagonal > other : other > diagonal) joined |= 1u << face;
    }
    return joined;
}

Cell cell_of(float heights[8], ivec3 at) {
    Cell cell = Cell(0u, 0u, has_cell(at) && is_unmasked(at));
    for (uint corner = 0u; corner < 8u; ++corner) {
        if (!is_number(heights[corner])) cell.is_valid = false;
        if (heights[corner] > 0.0) cell.inside |= 1u << corner;
    }
    if (!cell.is_valid) cell.inside = 0u;
    if (kDecider != 0u && cell.inside != 0u && cell.inside != 255u)
        cell.joined = joined_faces(heights, cell.inside);
    return cell;
}

// From the field itself, for cells that are rarely asked for.
Cell fetched_cell(ivec3 at) {
    if (!has_cell(at)) return Cell(0u, 0u, false);
    float heights[8];
    for (uint corner = 0u; corner < 8u; ++corner)
        heights[corner] = field_at(at + corner_step(corner));
    return cell_of(heights, at);
}

bool is_valid_cell(ivec3 at, bool all_numbers) {
    if (!has_cell(at) || !is_unmasked(at)) return false;
    bool is_valid = true;
    for (uint corner = 0u; corner < 8u && !all_numbers; ++corner)
        if (!is_number(field_at(at + corner_step(corner)))) is_valid = false;
    return is_valid;
}

// Of the four cells around an edge.
uint valid_cells_around(ivec3 point, uint axis, bool all_numbers) {
    ivec3 u = unit_step((axis + 1u) % 3u);
    ivec3 v = unit_step((axis + 2u) % 3u);
    uint count = 0u;
    for (uint i = 0u; i < 4u; ++i) {
        ivec3 at = point - int(i & 1u) * u - int(i >> 1) * v;
        if (is_valid_cell(at, all_numbers)) ++count;
    }
    return count;
}

const ivec3 kTile = kBlock + 1;

shared float tile[kTile.x * kTile.y * kTile.z];
shared uint tile_has_inside; // 1: some point is inside
shared uint tile_has_outside;

uint load_point(ivec3 first, ivec3 at) {
    bool is_there = all(lessThan(first + at, lattice()));
    float height = is_there ? field_at(first + at) : no_number();
    tile[(at.z * kTile.y + at.y) * kTile.x + at.x] = height;
    if (!is_number(height)) return 0u;
    return height > 0.0 ? kSomeInside : kSomeOutside;
}

// The block's points and a layer behind it. Ends with a barrier.
void load_tile(ivec3 block) {
    ivec3 first = block * kBlock;
    if (gl_LocalInvocationIndex == 0u) {
        tile_has_inside = 0u;
        tile_has_outside = 0u;
    }
    barrier();
    uint has = 0u;
    for (int z = 0; z < kTile.z; ++z)
        has |= load_point(first, column() + ivec3(0, 0, z));
    // Behind it along x and y: 9 + 32 points of each of 5 layers.
    const int kBehind = kTile.y + kBlock.x;
    int i = int(gl_LocalInvocationIndex);
    if (i < kBehind * kTile.z) {
        int of_layer = i % kBehind;
        ivec3 at = of_layer < kTile.y ? ivec3(kBlock.x, of_layer, i / kBehind)
                                      : ivec3(of_layer - kTile.y, kBlock.y, i / kBehind);
        has |= load_point(first, at);
    }
    if ((has & kSomeInside) != 0u) tile_has_inside = 1u;
    if ((has & kSomeOutside) != 0u) tile_has_outside = 1u;
    barrier();
}

bool is_cut() {
    return tile_has_inside != 0u && tile_has_outside != 0u;
}

float tile_height(ivec3 at) {
    return tile[(at.z * kTile.y + at.y) * kTile.x + at.x];
}

struct Owned {
    uint edges;     // a bit for each that makes a vertex, or with DUAL two triangles
    Cell cell;
    uvec2 entry;
    uint vertices;
    uint triangles;
};

// Where two cells meet at an ambiguous face and each has one loop through all of it, their vertices
// would share two edges; both then cut that face the other way, which parts their loops.
Cell parted(Cell cell, ivec3 point) {
    uint face = doubled_face(cell_case(cell.inside, 0u));
    if (face == 0u) return cell;
    face -= 1u;
    Cell beyond = fetched_cell(point + (2 * int(face & 1u) - 1) * unit_step(face >> 1));
    if (beyond.is_valid && doubled_face(cell_case(beyond.inside, 0u)) == (face ^ 1u) + 1u)
        cell.joined = 1u << face;
    return cell;
}

// Of a point of the tile. `all_numbers`: the whole field has no texel that is not a number.
Owned owned_by(ivec3 block, ivec3 at, bool all_numbers) {
    ivec3 point = block * kBlock + at;
    float heights[8];
    for (uint corner = 0u; corner < 8u; ++corner)
        heights[corner] = tile_height(at + corner_step(corner));
    Owned owned = Owned(0u, cell_of(heights, point), uvec2(0u), 0u, 0u);
#if DUAL
    owned.cell = parted(owned.cell, point);
#endif
    if (owned.cell.inside != 0u && owned.cell.inside != 255u)
        owned.entry = cell_case(owned.cell.inside, owned.cell.joined);
    for (uint axis = 0u; axis < 3u; ++axis) {
        float end = heights[1u << axis];
        if (!is_number(heights[0]) || !is_number(end) || heights[0] > 0.0 == end > 0.0) continue;
#if DUAL
        if (valid_cells_around(point, axis, all_numbers) != 4u) continue;
#else
        if (kMasked != 0u && valid_cells_around(point, axis, all_numbers) == 0u) continue;
#endif
        owned.edges |= 1u << axis;
    }
    uint edges = bitCount(owned.edges);
#if DUAL
    owned.vertices = loops_of(owned.entry);
    owned.triangles = 2u * edges;
#else
    owned.vertices = edges + centres_of(owned.entry);
    owned.triangles = triangles_of(owned.entry);
#endif
    return owned;
}

#endif
