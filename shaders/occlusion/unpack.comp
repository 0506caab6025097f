#version 460
// Makes a volume of texels of means in blocks of packed.glsl. A group has a tile of a slice, so that
// no index is divided, and stores texels that are neighbours next to each other, 16 by 2.

layout(local_size_x = 256) in;

#include "packed.glsl"

// As in passes/occlusion/packed.cpp.
const int kTileTexels = 64;
const int kTileRows = 32;
const int kTileBlocks = kTileTexels / kBlock;

uniform Params {
    ivec3 dims; // texels
    int blocks; // of a row
} params;

readonly buffer Source { uvec4 values[]; } source;
writeonly uniform image3D result;

shared uvec4 tile[kTileBlocks * kTileRows]; // one of each invocation

void main() {
    int lane = int(gl_LocalInvocationID.x);
    int z = int(gl_WorkGroupID.z);
    ivec2 first = ivec2(gl_WorkGroupID.xy) * ivec2(kTileBlocks, kTileRows);
    ivec2 place = first + ivec2(lane % kTileBlocks, lane / kTileBlocks);
    if (place.x < params.blocks && place.y < params.dims.y)
        tile[lane] = source.values[(z * params.dims.y + place.y) * params.blocks + place.x];
    barrier();
    for (int turn = 0; turn < kBlock; ++turn) {
        ivec2 texel = ivec2(lane & 15 | (lane >> 5 & 3) << 4,
                            lane >> 4 & 1 | (lane >> 7) << 1 | turn << 2);
        ivec3 at = ivec3(first * ivec2(kBlock, 1) + texel, z);
        if (at.x >= params.dims.x || at.y >= params.dims.y) continue;
        uint word = tile[texel.y * kTileBlocks + texel.x / kBlock][texel.x % kBlock / 2];
        uint units = texel.x % 2 == 0 ? word & 0xffffu : word >> 16u;
        imageStore(result, at, vec4(float(units) * (1.0 / kOne))); // off by much less than a unit
    }
}
