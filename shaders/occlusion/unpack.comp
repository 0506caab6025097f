#version 460
// Makes a volume of texels of means in blocks of packed.glsl. The group stores texels that are
// neighbours next to each other.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "packed.glsl"

uniform Params {
    ivec3 dims; // texels
    int blocks; // of a row
} params;

readonly buffer Source { uvec4 values[]; } source;
writeonly uniform image3D result;

shared uvec4 blocks_of_group[256];

void main() {
    uint lane = gl_LocalInvocationID.x;
    uint group_first = group_index() * 256u;
    uint blocks = uint(params.blocks);
    uint count = blocks * uint(params.dims.y) * uint(params.dims.z);
    if (group_first + lane < count) blocks_of_group[lane] = source.values[group_first + lane];
    barrier();
    for (uint i = lane; i < 256u * kBlock; i += 256u) {
        uint block = group_first + i / kBlock;
        uint row = block / blocks;
        ivec3 texel = ivec3(block % blocks * kBlock + i % kBlock, row % uint(params.dims.y),
                            row / uint(params.dims.y));
        if (block >= count || texel.x >= params.dims.x) continue;
        uint word = blocks_of_group[i / kBlock][i % kBlock / 2u];
        uint units = i % 2u == 0u ? word & 0xffffu : word >> 16u;
        imageStore(result, texel, vec4(float(units) / kOne));
    }
}
