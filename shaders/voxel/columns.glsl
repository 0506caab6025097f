#ifndef VOXEL_COLUMNS
#define VOXEL_COLUMNS
// Which columns have their middle below a triangle, and where they pass through it: in whole
// numbers, so that neighbours agree about every middle on their common edge.
//
// Columns run along kAxis: 0 is x, 1 is y, 2 is z. Coordinates here are (v, u, a): a along the
// column, v the one whose neighbours are taken together: z, or x where columns run along z.
#include "wide.glsl"

layout(constant_id = 0) const uint kAxis = 1u;

const int kHalf = 128; // of a voxel

ivec3 to_columns(ivec3 p) {
    return kAxis == 0u ? p.zyx : kAxis == 1u ? p.zxy : p.xyz;
}

struct Columns {
    ivec2 low; // the first column whose middle is in the bounding box
    ivec2 high;
    ivec2 edges[3]; // inward normals
    uvec2 bases[3]; // middle b is covered where edge * b + base >= 0
    // The column b is left upwards through k where k * slope.z < -(slope.xy * b + height).
    uvec2 slope[3];
    uvec2 height;
    int sense; // of the triangle: 1 or -1, or 0 where it covers nothing
};

// The bounds of the middles that a triangle may cover.
void bound_columns(inout Columns c, ivec3 t[3], uvec3 dims) {
    ivec2 least = min(t[0].xy, min(t[1].xy, t[2].xy));
    ivec2 most = max(t[0].xy, max(t[1].xy, t[2].xy));
    c.low = max(least + (kHalf - 1) >> 8, ivec2(0));
    c.high = min(most - kHalf >> 8, to_columns(ivec3(dims)).xy - 1);
}

uvec2 area_part(ivec2 a, ivec2 b) {
    return subtract(multiply(a.x, b.y), multiply(a.y, b.x));
}

uvec2 times_sign(uvec2 a, int s) {
    return s < 0 ? negate(a) : a;
}

// Triangles are given in (v, u, a). Afterwards b is counted from `low`.
Columns columns_of(ivec3 t[3], uvec3 dims) {
    Columns c;
    bound_columns(c, t, dims);
    ivec3 w[3];
    for (int i = 0; i < 3; ++i) w[i] = t[i] - ivec3(256 * c.low, 0);
    uvec2 normal[3] = uvec2[3](uvec2(0u), uvec2(0u), uvec2(0u));
    uvec2 areas[3];
    for (int i = 0; i < 3; ++i) {
        ivec3 from = w[i];
        ivec3 to = w[(i + 1) % 3];
        areas[i] = area_part(from.xy, to.xy);
        normal[0] = add(normal[0], area_part(from.yz, to.yz));
        normal[1] = add(normal[1], area_part(from.zx, to.zx));
        normal[2] = add(normal[2], areas[i]);
    }
    c.sense = sign_of(normal[2]);
    for (int i = 0; i < 3; ++i) {
        ivec2 d = w[(i + 1) % 3].xy - w[i].xy;
        ivec2 m = c.sense * ivec2(-d.y, d.x);
        c.edges[i] = m;
        // A middle on an edge belongs to the triangle on one side of it.
        int bias = m.x > 0 || (m.x == 0 && m.y < 0) ? 0 : 1;
        uvec2 base = add(times_sign(areas[i], c.sense), multiply(kHalf, m.x + m.y));
        c.bases[i] = divide_by_256(subtract(base, wide(bias)));
    }
    uvec2 voxels = uvec2(0u);
    uvec2 rest = uvec2(0u);
    for (int axis = 0; axis < 3; ++axis) {
        c.slope[axis] = times_sign(normal[axis], c.sense);
        voxels = add(voxels, multiply(c.slope[axis], w[0][axis] >> 8));
        rest = add(rest, multiply(c.slope[axis], kHalf - (w[0][axis] & 255)));
    }
    c.height = subtract(divide_by_256(rest), voxels);
    return c;
}

// A voxel's middle lies below the triangle up to this one.
int highest_below(Columns c, ivec2 b, int length) {
    uvec2 value = add(add(multiply(c.slope[0], b.x), multiply(c.slope[1], b.y)), c.height);
    // The greatest k with slope.z * k < -value.
    int k = floor_divide(subtract(negate(value), uvec2(1u, 0u)), c.slope[2]);
    return clamp(k, -1, length - 1);
}

// Which triangles cover too many columns for one group, and how they are cut: into runs of units,
// each the columns of a word.

const uint kMaxUnits = 256u; // of a triangle that is not large
const uint kUnitsOfPart = 256u;

bool is_large(uvec2 units) {
    return units.x * units.y > kMaxUnits;
}

uint parts_of(uvec2 units) {
    return (units.x * units.y + kUnitsOfPart - 1u) / kUnitsOfPart;
}

// Of one that has to be cut off: pieces, and each has as many parts as all columns of the grid. What
// is too high or too low is not cut off but made flat, for it covers columns as before: so there are
// three polygons.
const uint kTrianglesOfPolygon = 7u;
const uint kPieces = 3u * kTrianglesOfPolygon;

uint parts_of_grid(uvec3 dims) {
    uvec2 columns = uvec2(to_columns(ivec3(dims)).xy);
    return parts_of(uvec2(columns.y, (columns.x + 31u >> 5u) + 1u));
}

uint parts_of_far(uvec3 dims) {
    return kPieces * parts_of_grid(dims);
}

#endif
