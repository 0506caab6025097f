#version 460
// Means along x, in blocks of packed.glsl: of each texel and those before it, 2^kLevel in all, rounded
// to the nearest. An invocation has a block. Sums of as many blocks as the means are wide are made by
// doubling; each texel of the next block then takes itself in and the one that far before it out.

layout(local_size_x = 256, local_size_x_id = 3) in; // kBlocks * kRows

#include "packed_voxels.glsl"

layout(constant_id = 0) const uint kLevel = 1u; // 1 to 10
layout(constant_id = 1) const int kBlocks = 32; // of a group's part of a row
layout(constant_id = 2) const int kRows = 8;    // of a group

const int kLanes = kBlocks * kRows;

uniform Params {
    ivec3 dims; // voxels
    int blocks; // of a row of means
} params;

uniform sampler3D opacity;
writeonly buffer Means { uvec4 values[]; } means;

shared uvec4 tile[kLanes];
shared uint sums[2 * kLanes]; // of the blocks up to each

uint sum_of(uvec4 block) {
    uvec4 pairs = (block & 0xffffu) + (block >> 16u);
    return pairs.x + pairs.y + pairs.z + pairs.w;
}

void main() {
    int lane = int(gl_LocalInvocationID.x);
    int wide = max((1 << kLevel) / kBlock, 1); // blocks
    int column = lane % kBlocks;
    int block = int(gl_WorkGroupID.x) * (kBlocks - wide) + column - wide;
    int y = int(gl_WorkGroupID.y) * kRows + lane / kBlocks;
    int z = int(gl_WorkGroupID.z);

    uvec4 own = voxels_of(numbers_at(opacity, params.dims, block, y, z));
    uint sum = sum_of(own);
    tile[lane] = own;
    sums[lane] = sum;
    barrier();
    int base = 0;
    for (int apart = 1; apart < wide; apart *= 2) {
        sum += sums[base + max(lane - apart, 0)]; // what the first columns find is not looked at
        base = kLanes - base;
        sums[base + lane] = sum;
        barrier();
    }
    if (column < wide || block >= params.blocks || y >= params.dims.y) return;

    uvec4 before = tile[lane - 1];
    uvec4 behind = tile[lane - wide]; // of each texel, the one 2^kLevel before it
    sum = sums[base + lane - 1];
    if (kLevel == 1u) {
        behind = uvec4(before.w, own.xyz);
        sum = (before.w & 0xffffu) + (before.w >> 16u);
    } else if (kLevel == 2u) {
        behind = uvec4(before.zw, own.xy);
        sum = sum_of(uvec4(before.zw, 0u, 0u));
    }
    sum += 1u << kLevel >> 1u; // rounds to the nearest
    uvec4 result;
    for (int i = 0; i < 4; ++i) {
        sum += (own[i] & 0xffffu) - (behind[i] & 0xffffu);
        uint even = sum >> kLevel;
        sum += (own[i] >> 16u) - (behind[i] >> 16u);
        result[i] = even | sum >> kLevel << 16u;
    }
    means.values[(z * params.dims.y + y) * params.blocks + block] = result;
}
