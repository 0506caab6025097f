// pcg3d, a hash of three words to three words (Jarzynski and Olano, "Hash Functions for GPU
// Rendering", Journal of Computer Graphics Techniques 9(3), 2020).
#ifndef HASH
#define HASH

uvec3 pcg3d(uvec3 v) {
    v = v * 1664525u + 1013904223u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v ^= v >> 16u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    return v;
}

// Words to [0, 1): the upper 24 bits, which a float holds exactly.
vec3 unit_interval(uvec3 words) {
    return vec3(words >> 8u) * (1.0 / 16777216.0);
}

// Three numbers, the same in every run for the same words.
vec3 random_numbers(uint a, uint b, uint c) {
    return unit_interval(pcg3d(uvec3(a, b, c)));
}

#endif
