#version 460
// The next level of means of a volume: each texel is the mean of eight of the level below. Two by
// two by two neighbours make a level of half the size; eight that are as far apart as their cubes
// are wide make one of cubes twice as wide at every place. There an invocation makes texels that are
// as far apart, two by two and a run of them along z, which share most of their eight.

layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;

#include "opacities.glsl"

const int kRun = 8; // texels of an invocation along z where levels are not halved; as in levels.cpp

uniform Params {
    ivec3 dims;       // of the level below
    ivec3 level_dims; // of this one
    ivec3 first;      // texel of the level below that the first texel begins at
    int apart;        // the eight; 0: neighbours, and every second texel
} params;

uniform sampler3D source;
writeonly uniform image3D result;

// The first of an invocation's texels, of which each group of `apart` makes `count` times as many.
int spread(int index, int count) {
    return index / params.apart * params.apart * count + index % params.apart;
}

vec4 fours_at(ivec3 low) {
    float g[9];
    for (int i = 0; i < 9; ++i)
        g[i] = opacity_at(source, params.dims, low + params.apart * ivec3(i % 3, i / 3, 0));
    vec3 pairs = vec3(g[1] + g[4], g[3] + g[4], g[4] + g[5]);
    return vec4(g[0] + g[3] + pairs.x, g[2] + g[5] + pairs.x, g[6] + g[7] + pairs.y,
                g[7] + g[8] + pairs.z);
}

void make_run() {
    ivec3 texel = ivec3(spread(int(gl_GlobalInvocationID.x), 2),
                        spread(int(gl_GlobalInvocationID.y), 2),
                        spread(int(gl_GlobalInvocationID.z), kRun));
    if (any(greaterThanEqual(texel, params.level_dims))) return;
    vec4 four = fours_at(params.first + texel);
    for (int i = 0; i < kRun && texel.z < params.level_dims.z; ++i, texel.z += params.apart) {
        vec4 next = fours_at(params.first + texel + ivec3(0, 0, params.apart));
        for (int k = 0; k < 4; ++k) {
            ivec3 at = texel + params.apart * ivec3(k & 1, k >> 1, 0);
            if (all(lessThan(at.xy, params.level_dims.xy)))
                imageStore(result, at, vec4(kept(0.125 * (four[k] + next[k]))));
        }
        four = next;
    }
}

void main() {
    if (params.apart > 0) {
        make_run();
        return;
    }
    ivec3 texel = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(texel, params.level_dims))) return;
    ivec3 low = params.first + 2 * texel;
    float sum = 0.0;
    for (int i = 0; i < 8; ++i)
        sum += opacity_at(source, params.dims, low + ivec3(i & 1, i >> 1 & 1, i >> 2));
    imageStore(result, texel, vec4(kept(0.125 * sum)));
}
