#version 460
// The means of the blocks of a picture or a volume.
//! variants VOLUME=0,1

layout(local_size_x = 16, local_size_y = 16) in;

// The mean of each block of an image, with the number of its texels. Sums run over few values at a
// time, so that the rounding error grows with the logarithm of their number. Define VOLUME or
// not.
#include "primitives/summed_area_shape.glsl"
#include "group_mean.glsl"

uniform PICTURE source;
writeonly buffer Means { WeightedMean values[]; } means;

uniform Params {
    ivec3 blocks;
} params;

void main() {
    ivec3 block = ivec3(gl_WorkGroupID);
    ivec3 local = ivec3(gl_LocalInvocationID);
#if VOLUME
    ivec3 size = textureSize(source, 0);
#else
    ivec3 size = ivec3(textureSize(source, 0), 1);
#endif
    // A block is four groups wide and high: each invocation takes 4x4 texels.
    ivec3 corner = block * ivec3(kBlock, kBlock, 1) + local;
    // Differences to the first texel: the mean of equal texels is exact.
    vec4 base = texelFetch(source, PLACE(min(corner, size - 1)), 0);
    vec4 total = vec4(0.0);
    float count = 0.0;
    for (int y = 0; y < 4; ++y) {
        vec4 row = vec4(0.0);
        for (int x = 0; x < 4; ++x) {
            ivec3 texel = corner + ivec3(x, y, 0) * kBlock / 4;
            if (any(greaterThanEqual(texel, size))) continue;
            row += texelFetch(source, PLACE(texel), 0) - base;
            count += 1.0;
        }
        total += row;
    }
    WeightedMean result = mean_of_group(base + total / max(count, 1.0), count);
    if (gl_LocalInvocationIndex == 0u)
        means.values[(block.z * params.blocks.y + block.y) * params.blocks.x + block.x] = result;
}
