// Gradient noise on lattices of whole numbers (Perlin, "Improving Noise", SIGGRAPH 2002), with
// gradients from a hash in place of a table. All arithmetic is rounded step by step, so that a point
// has the same height in every kernel.
#ifndef TERRAIN_NOISE
#define TERRAIN_NOISE

#include "hash.glsl"

// -1 to 1, 16 bits each.
vec2 gradient_2d(ivec2 cell, uint seed) {
    uvec3 words = pcg3d(uvec3(uvec2(cell), seed));
    return vec2(words.xy >> 16u) * (2.0 / 65535.0) - 1.0;
}

vec3 gradient_3d(ivec3 cell, uint seed) {
    uvec3 words = pcg3d(uvec3(cell) + uvec3(seed * 0x9e3779b9u, seed, 0u));
    return vec3(words >> 16u) * (2.0 / 65535.0) - 1.0;
}

float corner_2d(ivec2 cell, ivec2 corner, vec2 part, uint seed) {
    vec2 g = gradient_2d(cell + corner, seed);
    vec2 d = part - vec2(corner);
    precise float result = g.x * d.x + g.y * d.y;
    return result;
}

// 0 at the points of the lattice; -1 to 1.
float noise_2d(ivec2 cell, vec2 part, uint seed) {
    precise vec2 t = part * part * part * (part * (part * 6.0 - 15.0) + 10.0);
    float sides[2];
    for (int i = 0; i < 2; ++i) {
        float a = corner_2d(cell, ivec2(0, i), part, seed);
        float b = corner_2d(cell, ivec2(1, i), part, seed);
        precise float side = a + (b - a) * t.x;
        sides[i] = side;
    }
    precise float result = sides[0] + (sides[1] - sides[0]) * t.y;
    return result;
}

float corner_3d(ivec3 cell, ivec3 corner, vec3 part, uint seed) {
    vec3 g = gradient_3d(cell + corner, seed);
    vec3 d = part - vec3(corner);
    precise float result = g.x * d.x + g.y * d.y + g.z * d.z;
    return result;
}

float noise_3d(ivec3 cell, vec3 part, uint seed) {
    precise vec3 t = part * part * part * (part * (part * 6.0 - 15.0) + 10.0);
    float sides[4];
    for (int i = 0; i < 4; ++i) {
        ivec3 corner = ivec3(0, i & 1, i >> 1);
        float a = corner_3d(cell, corner, part, seed);
        float b = corner_3d(cell, corner + ivec3(1, 0, 0), part, seed);
        precise float side = a + (b - a) * t.x;
        sides[i] = side;
    }
    precise float near = sides[0] + (sides[1] - sides[0]) * t.y;
    precise float far = sides[2] + (sides[3] - sides[2]) * t.y;
    precise float result = near + (far - near) * t.z;
    return result;
}

// What an octave adds where a share `ridges` of it is folded into crests: -1 to 1.
float ridged(float noise, float ridges) {
    precise float crest = 1.0 - 2.0 * abs(noise);
    precise float result = noise + (crest - noise) * ridges;
    return result;
}

// Octaves of noise, each of twice the frequency and `gain` times the height of the one before.
float fbm_2d(vec2 place, uint octaves, float gain, float ridges, uint seed) {
    precise float sum = 0.0;
    precise float height = 1.0;
    for (uint i = 0u; i < octaves; ++i) {
        vec2 low = floor(place);
        float wave = ridged(noise_2d(ivec2(low), place - low, seed + i), ridges);
        sum += height * wave;
        height *= gain;
        place *= 2.0;
    }
    return sum;
}

#endif
