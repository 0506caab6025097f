// Triangles of a mesh, and which of them there are for rays.
#ifndef BVH_MESH_TRIANGLE
#define BVH_MESH_TRIANGLE
readonly buffer Positions { float values[]; } positions;
readonly buffer Indices { uint values[]; } indices;

// Why rays cannot hit a triangle.
const uint kProper = 0u;     // they can
const uint kDegenerate = 1u; // it has no area
const uint kNotFinite = 2u;  // a coordinate is infinite or no number
const uint kBadIndex = 3u;   // it names a vertex that does not exist

struct Corners {
    vec3 a;
    vec3 b;
    vec3 c;
    uint kind;
};

vec3 vertex_position(uint vertex) {
    uint at = 3u * vertex;
    return vec3(positions.values[at], positions.values[at + 1u], positions.values[at + 2u]);
}

// By the bits, for isinf and isnan may be compiled away.
bool is_finite(vec3 v) {
    return all(lessThan(floatBitsToUint(v) & 0x7fffffffu, uvec3(0x7f800000u)));
}

// Whether the area is more than nothing in floating point.
bool has_area(vec3 a, vec3 b, vec3 c) {
    precise vec3 ab = b - a;
    precise vec3 ac = c - a;
    precise vec3 area = ab.yzx * ac.zxy - ab.zxy * ac.yzx;
    return any(notEqual(area, vec3(0.0)));
}

// Triangle `id` of a mesh of `vertex_count` vertices.
Corners mesh_triangle(uint id, uint vertex_count) {
    uvec3 of = uvec3(indices.values[3u * id], indices.values[3u * id + 1u],
                     indices.values[3u * id + 2u]);
    if (any(greaterThanEqual(of, uvec3(vertex_count))))
        return Corners(vec3(0.0), vec3(0.0), vec3(0.0), kBadIndex);
    Corners corners = Corners(vertex_position(of.x), vertex_position(of.y), vertex_position(of.z),
                              kProper);
    if (!is_finite(corners.a) || !is_finite(corners.b) || !is_finite(corners.c))
        corners.kind = kNotFinite;
    else if (!has_area(corners.a, corners.b, corners.c))
        corners.kind = kDegenerate;
    return corners;
}

#endif
