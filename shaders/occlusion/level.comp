#version 460
// The next level of means of a volume: each texel is the mean of eight of the level below. Two by
// two by two neighbours make a level of half the size; eight that are as far apart as their cubes
// are wide make one of cubes twice as wide at every place. There an invocation makes texels that are
// as far apart along z, of which two in a row share four of their eight.

layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;

#include "opacities.glsl"

const int kRun = 8; // texels of an invocation where levels are not halved; as in levels.cpp

uniform Params {
    ivec3 dims;       // of the level below
    ivec3 level_dims; // of this one
    ivec3 first;      // texel of the level below that the first texel begins at
    int apart;        // the eight; 0: neighbours, and every second texel
} params;

uniform sampler3D source;
writeonly uniform image3D result;

float four_at(ivec3 low, int apart) {
    return opacity_at(source, params.dims, low) +
           opacity_at(source, params.dims, low + ivec3(apart, 0, 0)) +
           opacity_at(source, params.dims, low + ivec3(0, apart, 0)) +
           opacity_at(source, params.dims, low + ivec3(apart, apart, 0));
}

void main() {
    ivec3 texel = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(texel.xy, params.level_dims.xy))) return;
    if (params.apart == 0) {
        if (texel.z >= params.level_dims.z) return;
        ivec3 low = params.first + 2 * texel;
        float sum = four_at(low, 1) + four_at(low + ivec3(0, 0, 1), 1);
        imageStore(result, texel, vec4(kept(0.125 * sum)));
        return;
    }
    texel.z = texel.z / params.apart * params.apart * kRun + texel.z % params.apart;
    if (texel.z >= params.level_dims.z) return;
    float four = four_at(params.first + texel, params.apart);
    for (int i = 0; i < kRun && texel.z < params.level_dims.z; ++i, texel.z += params.apart) {
        float next =
            four_at(params.first + texel + ivec3(0, 0, params.apart), params.apart);
        imageStore(result, texel, vec4(kept(0.125 * (four + next))));
        four = next;
    }
}
