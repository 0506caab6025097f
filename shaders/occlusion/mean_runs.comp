#version 460
// Means along y or z, in blocks of packed.glsl: of each texel and those before it along the axis,
// 2^kLevel in all, rounded to the nearest. A group walks along the axis with a tile of blocks by
// rows, which takes the next texel in and the one that far before it out. The last axis ends in an
// image, whose texels are stored 16 by 2 next to each other.
//! variants TO_IMAGE=0,1

layout(local_size_x = 256) in;

#include "packed.glsl"

layout(constant_id = 0) const uint kLevel = 1u;
layout(constant_id = 20) const uint kClamps = 0u; // as in opacities.glsl

const int kTileBlocks = 8; // as in passes/occlusion/running_means.cpp
const int kTileRows = 32;  // as there
const int kSteps = 4;      // that are loaded at a time
const int kLanes = kTileBlocks * kTileRows;

uniform Params {
    int blocks;        // of a row
    int texels;        // of it, in the image
    int rows;          // beside each other: those of a slice, or slices
    int row_pitch;     // blocks from one to the next
    int result_pitch;
    int count;         // along the axis
    int pitch;         // blocks from one to the next
    int result_count;  // along the axis
    int run;           // of a group
} params;

readonly buffer Source { uvec4 values[]; } source;
#if TO_IMAGE == 1
writeonly uniform image3D result;

shared uvec4 tile[kSteps * kLanes];
#else
writeonly buffer Result { uvec4 values[]; } result;
#endif

// Beyond the volume is nothing, or its edge.
uvec4 block_at(int first, int at) {
    if (kClamps != 0u) at = clamp(at, 0, params.count - 1);
    else if (uint(at) >= uint(params.count)) return uvec4(0u);
    return source.values[first + at * params.pitch];
}

RowSums without(RowSums sums, RowSums gone) {
    return RowSums(sums.words - gone.words, sums.upper - gone.upper);
}

uvec4 means_of(RowSums sums) {
    const uint kHalf = 1u << kLevel >> 1u;
    return (sums.upper + kHalf) >> kLevel << 16u | (lower(sums) + kHalf) >> kLevel;
}

#if TO_IMAGE == 1
void store(int lane, ivec2 place, int at, int end, uvec4 means) {
    tile[at % kSteps * kLanes + lane] = means;
}

void store_tile(int lane, int at, int end) {
    ivec2 first = ivec2(gl_WorkGroupID.xy) * ivec2(kTileBlocks * kBlock, kTileRows);
    for (int turn = 0; turn < kSteps * kBlock; ++turn) {
        int slice = at + turn / kBlock;
        ivec2 texel = ivec2(lane & 15 | (lane >> 5 & 3) << 4,
                            lane >> 4 & 1 | (lane >> 7) << 1 | turn % kBlock << 2);
        uvec4 block = tile[slice % kSteps * kLanes + texel.y * kTileBlocks + texel.x / kBlock];
        uint word = block[texel.x % kBlock / 2];
        uint units = texel.x % 2 == 0 ? word & 0xffffu : word >> 16u;
        ivec3 to = ivec3(first + texel, slice);
        if (to.x < params.texels && to.y < params.rows && slice < end)
            imageStore(result, to, vec4(float(units) * (1.0 / kOne))); // off by much less than a unit
    }
}
#else
void store(int lane, ivec2 place, int at, int end, uvec4 means) {
    if (place.x >= params.blocks || place.y >= params.rows || at >= end) return;
    result.values[place.y * params.result_pitch + at * params.blocks + place.x] = means;
}
#endif

void main() {
    int lane = int(gl_LocalInvocationID.x);
    ivec2 place = ivec2(gl_WorkGroupID.xy) * ivec2(kTileBlocks, kTileRows) +
                  ivec2(lane % kTileBlocks, lane / kTileBlocks);
    ivec2 inside = min(place, ivec2(params.blocks, params.rows) - 1);
    int first = inside.y * params.row_pitch + inside.x;
    int begin = int(gl_WorkGroupID.z) * params.run;
    int end = min(begin + params.run, params.result_count);
    int width = 1 << kLevel;

    RowSums sums = RowSums(uvec4(0u), uvec4(0u));
    for (int at = begin - width; at < begin; at += 2) {
        uvec4 one = block_at(first, at);
        uvec4 other = block_at(first, at + 1);
        sums = added(sums, added(row_sums(one), row_sums(other)));
    }
    for (int at = begin; at < end; at += kSteps) {
        uvec4 next[kSteps];
        uvec4 gone[kSteps];
        for (int i = 0; i < kSteps; ++i) {
            next[i] = block_at(first, at + i);
            gone[i] = block_at(first, at + i - width);
        }
        for (int i = 0; i < kSteps; ++i) {
            sums = without(added(sums, row_sums(next[i])), row_sums(gone[i]));
            store(lane, place, at + i, end, means_of(sums));
        }
#if TO_IMAGE == 1
        barrier();
        store_tile(lane, at, end);
        barrier();
#endif
    }
}
