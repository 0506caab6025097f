// Which voxels a triangle meets: separating axes (Schwarz and Seidel 2010), in whole numbers.
//
// A voxel b is met where, for the plane and for each edge in each of the three projections,
// normal * corner >= offset at the corner of the voxel that is farthest along the normal. All of
// these are linear in b, and so, along a row of voxels, they leave an interval. A voxel that the
// triangle only touches counts, but for those before the one in which its bounding box begins.
//
// A thin surface keeps apart what touches at faces only: instead of the voxel, the lines through its
// middle that end at its faces are met. Then the farthest point is the end of the line nearest to
// the normal.
#include "wide.glsl"

layout(constant_id = 2) const uint kThin = 0u;

// Voxels, in a box that the triangle's bounding box has in common with the grid.
struct Box {
    ivec3 low;
    ivec3 high; // inclusive
};

Box bounds_of(Corners t) {
    return Box(min(t.a, min(t.b, t.c)) >> 8, max(t.a, max(t.b, t.c)) >> 8);
}

Box clipped(Box box, uvec3 dims) {
    return Box(max(box.low, ivec3(0)), min(box.high, ivec3(dims) - 1));
}

bool is_empty(Box box) {
    return any(lessThan(box.high, box.low));
}

struct Overlap {
    ivec3 edges[3];  // from each corner to the next
    ivec3 sense;     // of the normal along each axis: 1 or -1
    uvec2 bases[9];  // of the edge functions: 3 * edge + axis of the projection
    uvec2 normal[3]; // twice the area, exact
    uvec2 above;     // the plane: normal * b + above >= 0 and below - normal * b >= 0
    uvec2 below;
};

uvec2 cross_part(ivec2 a, ivec2 b) {
    return subtract(multiply(a.x, b.y), multiply(a.y, b.x));
}

uvec2 times_sign(uvec2 a, int s) {
    return s < 0 ? negate(a) : a;
}

uvec2 positive_part(uvec2 a) {
    return is_negative(a) ? uvec2(0u) : a;
}

uvec2 greater_of(uvec2 a, uvec2 b) {
    return is_negative(subtract(a, b)) ? b : a;
}

uvec2 size_of(uvec2 a) {
    return times_sign(a, sign_of(a));
}

// How far a voxel reaches along a normal, from its corner of the least coordinates, times 256.
uvec2 farthest_along(ivec2 normal) {
    if (kThin == 0u) return multiply(256, max(normal.x, 0) + max(normal.y, 0));
    ivec2 size = abs(normal);
    return multiply(128, normal.x + normal.y + max(size.x, size.y));
}

uvec2 farthest_along(uvec2 normal[3]) {
    if (kThin == 0u) {
        uvec2 sum = add(positive_part(normal[0]), positive_part(normal[1]));
        return multiply(add(sum, positive_part(normal[2])), 256);
    }
    uvec2 sum = add(normal[0], add(normal[1], normal[2]));
    uvec2 most = greater_of(size_of(normal[0]), greater_of(size_of(normal[1]), size_of(normal[2])));
    return multiply(add(sum, most), 128);
}

// For corners relative to the voxel from which b is counted.
Overlap overlap_of(Corners t) {
    Overlap o;
    ivec3 v[3] = ivec3[3](t.a, t.b, t.c);
    uvec2 crosses[9];
    o.normal[0] = o.normal[1] = o.normal[2] = uvec2(0u);
    for (int i = 0; i < 3; ++i) {
        ivec3 from = v[i];
        ivec3 to = v[(i + 1) % 3];
        o.edges[i] = to - from;
        crosses[3 * i] = cross_part(from.yz, to.yz);
        crosses[3 * i + 1] = cross_part(from.zx, to.zx);
        crosses[3 * i + 2] = cross_part(from.xy, to.xy);
        for (int axis = 0; axis < 3; ++axis)
            o.normal[axis] = add(o.normal[axis], crosses[3 * i + axis]);
    }
    for (int axis = 0; axis < 3; ++axis)
        o.sense[axis] = is_negative(o.normal[axis]) ? -1 : 1;
    for (int i = 0; i < 3; ++i)
        for (int axis = 0; axis < 3; ++axis) {
            // The edge's inward normal is (-dq, dp) in the projection with axes p and q.
            int p = (axis + 1) % 3;
            int q = (axis + 2) % 3;
            ivec2 inward = o.sense[axis] * ivec2(-o.edges[i][q], o.edges[i][p]);
            uvec2 from = times_sign(crosses[3 * i + axis], o.sense[axis]);
            o.bases[3 * i + axis] = divide_by_256(add(from, farthest_along(inward)));
        }
    // normal * a / 256 from the whole voxels of a, and the rest.
    uvec2 voxels = uvec2(0u);
    uvec2 rest = uvec2(0u);
    for (int axis = 0; axis < 3; ++axis) {
        voxels = add(voxels, multiply(o.normal[axis], t.a[axis] >> 8));
        rest = add(rest, multiply(o.normal[axis], t.a[axis] & 255));
    }
    o.above = subtract(divide_by_256(subtract(farthest_along(o.normal), rest)), voxels);
    uvec2 back[3] = uvec2[3](negate(o.normal[0]), negate(o.normal[1]), negate(o.normal[2]));
    o.below = add(divide_by_256(add(farthest_along(back), rest)), voxels);
    return o;
}

// The projection along `axis` of an edge, at the voxel b.
bool passes_edge(Overlap o, int edge, int axis, ivec3 b) {
    int p = (axis + 1) % 3;
    int q = (axis + 2) % 3;
    uvec2 value = add(multiply(-o.sense[axis] * o.edges[edge][q], b[p]),
                      multiply(o.sense[axis] * o.edges[edge][p], b[q]));
    return !is_negative(add(value, o.bases[3 * edge + axis]));
}

bool passes_projection(Overlap o, int axis, ivec3 b) {
    return passes_edge(o, 0, axis, b) && passes_edge(o, 1, axis, b) && passes_edge(o, 2, axis, b);
}

// What voxels there are between the plane's faces, along z at b.xy, in `interval`.
void bound_by_plane(Overlap o, ivec2 b, inout ivec2 interval) {
    uvec2 value = add(multiply(o.normal[0], b.x), multiply(o.normal[1], b.y));
    bound(interval, o.normal[2], add(value, o.above));
    bound(interval, negate(o.normal[2]), subtract(o.below, value));
}

bool passes_plane(Overlap o, ivec3 b) {
    ivec2 one = ivec2(b.z);
    bound_by_plane(o, b.xy, one);
    return one.x <= one.y;
}

// The voxels along z at b that the triangle meets, from 0 to `depth` - 1.
ivec2 met_in_row(Overlap o, ivec2 b, int depth) {
    ivec2 interval = ivec2(0, depth - 1);
    if (!passes_projection(o, 2, ivec3(b, 0))) return ivec2(0, -1);
    for (int i = 0; i < 3; ++i) {
        bound(interval, o.sense.x * o.edges[i].y,
              add(multiply(-o.sense.x * o.edges[i].z, b.y), o.bases[3 * i]));
        bound(interval, -o.sense.y * o.edges[i].x,
              add(multiply(o.sense.y * o.edges[i].z, b.x), o.bases[3 * i + 1]));
    }
    bound_by_plane(o, b, interval);
    return interval;
}

// Which triangles are too large for one group, and how they are cut: into runs of rows.

const int kNarrow = 1023;       // voxels that an edge of a triangle spans that is not large
const int kMaxRows = 2048;     // rows that such a triangle has
const uint kRowsOfPart = 2048u;

bool is_large(Box whole, ivec3 size) {
    return size.x * size.y > kMaxRows ||
           any(greaterThanEqual(whole.high - whole.low, ivec3(kNarrow)));
}

uint parts_of(ivec3 size) {
    return (uint(size.x * size.y) + kRowsOfPart - 1u) / kRowsOfPart;
}

// Of one that is far have to be cut off: pieces, and each has as many parts as the grid.
const uint kPieces = 7u;

uint parts_of_far(uvec3 dims) {
    return kPieces * parts_of(ivec3(dims));
}
