// What kernels share about bodies: as passes/bodies/bodies.hpp has it.
#ifndef BODIES_BODY
#define BODIES_BODY

const uint kSphere = 0u;
const uint kCapsule = 1u; // along y
const uint kBox = 2u;
const uint kHull = 3u;
const uint kPlane = 4u; // a half-space below y = 0
const uint kHeights = 5u;
const uint kDistances = 6u;
const uint kNothing = 7u; // takes part in nothing

const float kFarAway = 1e9; // world units: where half-spaces end

// A body's shape: two quads a body.
//   x, y, z: radius; radius and half length of the axis; half sides of a box; bits of the kind
//   inverse principal moments of inertia; bits of the place in the geometry
struct Shape {
    vec3 size;
    uint kind;
    uint geometry;
};

Shape shape_of(vec4 first, vec4 second) {
    return Shape(first.xyz, min(floatBitsToUint(first.w), kNothing), floatBitsToUint(second.w));
}

vec3 rotated(vec4 q, vec3 v) {
    return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}
vec3 rotated_back(vec4 q, vec3 v) {
    return rotated(vec4(-q.xyz, q.w), v);
}
vec4 product(vec4 a, vec4 b) {
    return vec4(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}
mat3 frame_of(vec4 q) {
    return mat3(rotated(q, vec3(1, 0, 0)), rotated(q, vec3(0, 1, 0)), rotated(q, vec3(0, 0, 1)));
}

// The moment of inertia's inverse in the world: six numbers and the inverse mass, two quads.
struct Mass {
    vec4 first;  // xx, yy, zz, inverse mass
    vec4 second; // xy, xz, yz, not used
};
vec3 inverse_inertia(Mass mass, vec3 v) {
    return vec3(mass.first.x * v.x + mass.second.x * v.y + mass.second.y * v.z,
                mass.second.x * v.x + mass.first.y * v.y + mass.second.z * v.z,
                mass.second.y * v.x + mass.second.z * v.y + mass.first.z * v.z);
}
// What a push along `n` through both points meets.
float effective_mass(Mass a, Mass b, vec3 ra, vec3 rb, vec3 n) {
    vec3 ta = cross(ra, n);
    vec3 tb = cross(rb, n);
    float sum = a.first.w + b.first.w + dot(ta, inverse_inertia(a, ta)) + dot(tb, inverse_inertia(b, tb));
    return sum > 0.0 ? 1.0 / sum : 0.0;
}
Mass mass_of(float inverse_mass, vec3 principal, vec4 turn) {
    mat3 frame = frame_of(turn);
    mat3 tensor = mat3(frame[0] * principal.x, frame[1] * principal.y, frame[2] * principal.z) *
                  transpose(frame);
    return Mass(vec4(tensor[0][0], tensor[1][1], tensor[2][2], inverse_mass),
                vec4(tensor[1][0], tensor[2][0], tensor[2][1], 0.0));
}

// Principal inverse moments of inertia; those that are none are a sphere's.
vec3 sound_moments(vec3 inverse, float inverse_mass, vec3 size) {
    float longest = max(max(size.x, size.y), size.z);
    for (int axis = 0; axis < 3; ++axis)
        if (!(inverse[axis] >= 0.0) || isinf(inverse[axis]))
            inverse[axis] = inverse_mass / max(0.4 * longest * longest, 1e-12);
    return inverse;
}

bool is_finite(vec3 v) {
    return !any(isnan(v)) && !any(isinf(v)) && all(lessThan(abs(v), vec3(1e18)));
}
bool is_finite(vec4 v) {
    return is_finite(v.xyz) && !isnan(v.w) && !isinf(v.w) && abs(v.w) < 1e18;
}

// Two unit vectors across a unit vector (T. Duff et al., "Building an Orthonormal Basis, Revisited",
// JCGT 2017). They jump where n.z passes -0.7, and not where bodies lie on or beside each other: the friction of the
// step before is told by them. `bend` takes a division, which need not wait for what else there is to do.
float side_of(vec3 n) {
    return n.z >= -0.7 ? 1.0 : -1.0;
}
float bend_of(vec3 n) {
    return -1.0 / (side_of(n) + n.z);
}
void across(vec3 n, float bend, out vec3 first, out vec3 second) {
    float turn = side_of(n);
    float b = n.x * n.y * bend;
    first = vec3(1.0 + turn * n.x * n.x * bend, turn * b, -turn * n.x);
    second = vec3(b, turn + n.y * n.y * bend, -n.y);
}
void across(vec3 n, out vec3 first, out vec3 second) {
    across(n, bend_of(n), first, second);
}
#endif
