#ifndef VOXEL_TRIANGLES
#define VOXEL_TRIANGLES
// Triangles of a mesh in a grid's coordinates: whole numbers of 1/256 voxel from the grid's corner,
// so that all that follows is exact.

#include "status.glsl"
// The corners of a triangle in 1/256 voxel.

struct Corners {
    ivec3 a;
    ivec3 b;
    ivec3 c;
};

readonly buffer Positions { float values[]; } positions;
readonly buffer Indices { uint values[]; } indices;
// Of the grid: its corner and, of a slab of it, the number of the first slice along y; voxels per
// world unit; ...
readonly buffer Frame { vec4 rows[]; } frame;

const int kFraction = 256;
// Corners within 2^14 voxels of the grid's: products of coordinates then fit 64 bits.
const float kFarthest = 4194304.0;
// Farther ones are cut off there (clip.glsl), but beyond this a triangle is left out.
const float kTooFarAway = 2.56e11;

// Fates of triangles; others are the counters of those that are left out.
const uint kKept = 0xffffffffu;
const uint kFar = 0xfffffffeu; // has to be cut off

vec3 vertex_at(uint index) {
    return vec3(positions.values[3u * index], positions.values[3u * index + 1u],
                positions.values[3u * index + 2u]);
}

bool is_finite(vec3 p) {
    return all(lessThan(floatBitsToUint(p) & 0x7fffffffu, uvec3(0x7f800000u)));
}

// By exactly rounded operations: the same on every device.
vec3 in_grid(vec3 p) {
    precise vec3 voxels = (p - frame.rows[0].xyz) * frame.rows[1].xyz;
    precise vec3 scaled = voxels * float(kFraction);
    precise vec3 rounded = floor(scaled + 0.5);
    return rounded;
}

bool is_multiple(ivec3 a, ivec3 b) {
    ivec3 high;
    ivec3 low;
    ivec3 other_high;
    ivec3 other_low;
    imulExtended(a.yzx, b.zxy, high, low);
    imulExtended(a.zxy, b.yzx, other_high, other_low);
    return high == other_high && low == other_low;
}

// Whether the triangle has no area.
bool is_degenerate(Corners t) {
    return is_multiple(t.b - t.a, t.c - t.a);
}

// The triangle's corners, which are whole numbers, and its fate.
uint place_triangle(uint triangle, uint vertices, out vec3 corners[3]) {
    uvec3 at = uvec3(indices.values[3u * triangle], indices.values[3u * triangle + 1u],
                     indices.values[3u * triangle + 2u]);
    if (any(greaterThanEqual(at, uvec3(vertices)))) return kBadIndex;
    vec3 a = vertex_at(at.x);
    vec3 b = vertex_at(at.y);
    vec3 c = vertex_at(at.z);
    if (!is_finite(a) || !is_finite(b) || !is_finite(c)) return kNonFinite;
    corners = vec3[3](in_grid(a), in_grid(b), in_grid(c));
    vec3 most = max(abs(corners[0]), max(abs(corners[1]), abs(corners[2])));
    if (all(lessThanEqual(most, vec3(kFarthest)))) return kKept;
    return all(lessThanEqual(most, vec3(kTooFarAway))) ? kFar : kTooFar;
}

// Counted from the slab that is worked on. What decides about a triangle's fate is not, so that
// slabs agree about it.
Corners in_slab(vec3 corners[3]) {
    ivec3 first = ivec3(0, kFraction * int(frame.rows[0].w), 0);
    return Corners(ivec3(corners[0]) - first, ivec3(corners[1]) - first,
                   ivec3(corners[2]) - first);
}

// The same; the corners have a value where it is kept.
uint load_triangle(uint triangle, uint vertices, out Corners corners) {
    vec3 placed[3];
    uint fate = place_triangle(triangle, vertices, placed);
    corners = Corners(ivec3(0), ivec3(0), ivec3(0));
    if (fate == kKept) corners = in_slab(placed);
    return fate;
}

#endif
