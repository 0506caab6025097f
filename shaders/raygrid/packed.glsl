// Rays in three words, where they come into a cell: the place in 21 bits along each axis, and the
// direction on an octahedron in 16 bits along each side. For tests that the whole ray repeats where
// the packed one meets a triangle.
#ifndef RAYGRID_PACKED
#define RAYGRID_PACKED

struct PackedRay {
    vec3 origin; // in the cell
    vec3 direction;
};

const float kPlaces = 2097151.0;   // 2^21 - 1
const float kDirections = 32767.0; // either way

uint gathered(uint v) {
    v &= 0x09249249u;
    v = (v | v >> 2u) & 0x030c30c3u;
    v = (v | v >> 4u) & 0x0300f00fu;
    v = (v | v >> 8u) & 0x030000ffu;
    return (v | v >> 16u) & 0x3ffu;
}

// The cell of a number.
ivec3 cell_of(uint key, uvec3 dims) {
    uvec3 cubes = dims >> cube_bits;
    uint number = key >> 3u * cube_bits;
    uint code = key & (1u << 3u * cube_bits) - 1u;
    uvec3 cube = uvec3(number % cubes.x, number / cubes.x % cubes.y, number / (cubes.x * cubes.y));
    return ivec3((cube << cube_bits) |
                 uvec3(gathered(code), gathered(code >> 1u), gathered(code >> 2u)));
}

// The lower half of the octahedron, as it lies around the upper one.
vec2 folded(vec2 d) {
    return (1.0 - abs(d.yx)) * mix(vec2(-1.0), vec2(1.0), greaterThanEqual(d, vec2(0.0)));
}

uvec3 pack_ray(PackedRay ray) {
    uvec3 place = uvec3(clamp(ray.origin, 0.0, 1.0) * kPlaces + 0.5);
    vec3 size = abs(ray.direction);
    vec3 d = ray.direction / (size.x + size.y + size.z);
    if (d.z < 0.0) d.xy = folded(d.xy);
    uvec2 side = uvec2(ivec2(round(d.xy * kDirections)) + 32768);
    return uvec3(place.x | place.z << 21u, place.y | (place.z >> 11u) << 21u,
                 side.x | side.y << 16u);
}

PackedRay unpack_ray(uvec3 words) {
    uvec3 place = uvec3(words.x & 0x1fffffu, words.y & 0x1fffffu,
                        words.x >> 21u | (words.y >> 21u & 0x3ffu) << 11u);
    vec2 side = vec2(ivec2(words.z & 0xffffu, words.z >> 16u) - 32768) / kDirections;
    vec3 d = vec3(side, 1.0 - abs(side.x) - abs(side.y));
    if (d.z < 0.0) d.xy = folded(d.xy);
    return PackedRay(vec3(place) / kPlaces, d);
}
#endif
