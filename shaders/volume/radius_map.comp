#version 460
// A cube of radii: two octaves of smooth noise on the sphere.

layout(local_size_x = 8, local_size_y = 8) in;

#include "scene/environment.glsl"
#include "hash.glsl"

uniform writeonly image2DArray radii;

uniform Params {
    float least;
    float most;
    float frequency;
    uint seed;
} params;

float corner(ivec3 at) {
    return unit_interval(pcg3d(uvec3(at) + uvec3(params.seed, 0u, 0u))).x;
}

// In [0, 1], with continuous slopes.
float noise(vec3 p) {
    ivec3 cell = ivec3(floor(p));
    vec3 t = p - floor(p);
    t = t * t * (3.0 - 2.0 * t);
    float sum = 0.0;
    for (int k = 0; k < 8; ++k) {
        ivec3 step = ivec3(k & 1, k >> 1 & 1, k >> 2);
        vec3 weights = mix(1.0 - t, t, vec3(step));
        sum += weights.x * weights.y * weights.z * corner(cell + step);
    }
    return sum;
}

void main() {
    ivec3 texel = ivec3(gl_GlobalInvocationID);
    int side = imageSize(radii).x;
    if (any(greaterThanEqual(texel.xy, ivec2(side)))) return;
    vec3 direction = normalize(cube_direction(texel.z, cube_texel_centre(texel.xy, side)));
    float bumps = 0.7 * noise(params.frequency * direction + 64.0) +
                  0.3 * noise(2.0 * params.frequency * direction + 128.0);
    // Noise is seldom near its ends.
    float share = smoothstep(0.2, 0.8, bumps);
    imageStore(radii, texel, vec4(vec3(mix(params.least, params.most, share)), 1.0));
}
