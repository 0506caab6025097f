#version 460
// The first levels of an N-buffer in blocks of packed.glsl, of the opacities of a volume, in one go:
// level k has the means of cubes of 2^k voxels, rounded to the nearest like those of packed_level.
//
// A group walks along z with a tile of blocks by rows, one of each an invocation. Each level is a
// slice behind the one below it, so that one barrier a slice is enough, and keeps sums of its last
// slices in registers. The first column and the first rows are there for those beside them alone.

layout(local_size_x = 256, local_size_x_id = 3) in; // kColumns * kRows

#include "packed_voxels.glsl"

layout(constant_id = 0) const uint kLevels = 3u; // at most 3; 0: the voxels alone

layout(constant_id = 1) const int kColumns = 8; // of the tile, blocks
layout(constant_id = 2) const int kRows = 32;

const int kSlices = 64; // as in passes/occlusion/packed.cpp
const int kLanes = kColumns * kRows;

uniform Params {
    ivec3 dims; // voxels
    // Blocks, rows and slices of the voxels and of each level, and its first block.
    ivec4 levels[4];
} params;

uniform sampler3D opacity;
writeonly buffer Voxels { uvec4 values[]; } voxels;
writeonly buffer Means { uvec4 values[]; } means; // of all levels

// Slices of the levels that the next one is made of; of every second slice, so that none is written
// while it is read.
shared uvec4 slices[2 * 3 * kLanes];

// Of each texel and the one `apart` before it: 1, 2 or 4.
RowSums pairs_of(uvec4 own, uvec4 before, int apart) {
    if (apart == 1) before = uvec4(before.w, own.xyz) >> 16u | own << 16u;
    else if (apart == 2) before = uvec4(before.w, own.xyz);
    else before = uvec4(before.zw, own.xy);
    return added(row_sums(own), row_sums(before));
}

// Sums of two by two texels of a slice that is there. What lanes at the edge find is not looked at.
RowSums fours_of(int first, uvec4 own, int apart) {
    int lane = int(gl_LocalInvocationID.x);
    int above = max(lane - kColumns * apart, 0);
    return with_half(
        added(pairs_of(own, slices[first + max(lane - 1, 0)], apart),
              pairs_of(slices[first + above], slices[first + max(above - 1, 0)], apart)));
}

struct Place {
    int block;
    int y;
    ivec2 range; // slices of the group
    bool counts;
};

bool holds(Place place, ivec4 level, int z) {
    return place.counts && z >= place.range.x && z < min(place.range.y, level.z) &&
           place.block < level.x && place.y < level.y;
}

void store(Place place, uint number, int z, uvec4 words) {
    ivec4 level = params.levels[number];
    if (!holds(place, level, z)) return;
    int at = (z * level.y + place.y) * level.x + place.block;
    if (number == 0u) voxels.values[at] = words;
    else means.values[level.w + at] = words;
}

void main() {
    int lane = int(gl_LocalInvocationID.x);
    int reach = (1 << kLevels) - 1;
    int column = lane % kColumns;
    int row = lane / kColumns;
    Place place;
    place.block = int(gl_WorkGroupID.x) * (kColumns - 1) + column - 1;
    place.y = int(gl_WorkGroupID.y) * (kRows - reach) + row - reach;
    place.range = int(gl_WorkGroupID.z) * kSlices + ivec2(0, kSlices);
    place.counts = column > 0 && row >= reach;

    const RowSums kNone = RowSums(uvec4(0u), uvec4(0u));
    RowSums of_voxels = kNone; // sums of fours, of slices before
    RowSums of_first[2] = RowSums[2](kNone, kNone);
    RowSums of_second[4] = RowSums[4](kNone, kNone, kNone, kNone);
    uvec4 own = voxels_of(numbers_at(opacity, params.dims, place.block, place.y, place.range.x - reach));
    uvec4 first = uvec4(0u);
    uvec4 second = uvec4(0u);
    int behind = max(int(kLevels) - 1, 0);
    int end = min(place.range.y, params.levels[kLevels].z) + behind;
    int base = 0;
    for (int z = place.range.x - reach; z < end; ++z) {
        if (kLevels > 0u) {
            slices[base + lane] = own;
            if (kLevels > 1u) slices[base + kLanes + lane] = first;
            if (kLevels > 2u) slices[base + 2 * kLanes + lane] = second;
            barrier();
        }
        Numbers next = numbers_at(opacity, params.dims, place.block, place.y, z + 1); // which take long to come
        store(place, 0u, z, own);
        if (kLevels > 2u) {
            RowSums fours = fours_of(base + 2 * kLanes, second, 4);
            store(place, 3u, z - 2, mean_of_eight(added(fours, of_second[3])));
            of_second = RowSums[4](fours, of_second[0], of_second[1], of_second[2]);
        }
        if (kLevels > 1u) {
            RowSums fours = fours_of(base + kLanes, first, 2);
            second = mean_of_eight(added(fours, of_first[1]));
            store(place, 2u, z - 1, second);
            of_first = RowSums[2](fours, of_first[0]);
        }
        if (kLevels > 0u) {
            RowSums fours = fours_of(base, own, 1);
            first = mean_of_eight(added(fours, of_voxels));
            store(place, 1u, z, first);
            of_voxels = fours;
        }
        own = voxels_of(next);
        base = 3 * kLanes - base;
    }
}
