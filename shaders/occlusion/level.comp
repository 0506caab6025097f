#version 460
// The next level of means of a volume: each texel is the mean of eight of the level below. Two by
// two by two neighbours make a level of half the size; eight that are as far apart as their cubes
// are wide make one of cubes twice as wide at every place.

layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;

#include "opacities.glsl"

uniform Params {
    ivec3 dims;       // of the level below
    ivec3 level_dims; // of this one
    ivec3 first;      // texel of the level below that the first texel begins at
    int stride;       // from texel to texel, in those of the level below
    int apart;        // the eight
} params;

uniform sampler3D source;
writeonly uniform image3D result;

void main() {
    ivec3 texel = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(texel, params.level_dims))) return;
    ivec3 low = params.first + params.stride * texel;
    float sum = 0.0;
    for (int i = 0; i < 8; ++i) {
        ivec3 corner = ivec3(i & 1, i >> 1 & 1, i >> 2);
        sum += opacity_at(source, params.dims, low + params.apart * corner);
    }
    imageStore(result, texel, vec4(kept(0.125 * sum)));
}
