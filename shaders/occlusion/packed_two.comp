#version 460
// Levels 4 and 5 of an N-buffer in blocks of packed.glsl, of level 3, in one go; level 5 is stored.
// Cubes of level 3 are a block wide, so each sum is one of whole blocks.
//
// A group walks along z with a tile of blocks by rows, one of each an invocation. Its rows and its
// slices are 8 texels apart, as the terms of sums are. Level 5 is a step behind level 4. The first
// columns and rows are there for those beside them alone.

layout(local_size_x = 255) in; // kColumns * kRows

#include "packed.glsl"

layout(constant_id = 20) const uint kClamps = 0u; // as in opacities.glsl

// As in passes/occlusion/packed.cpp.
const int kColumns = 15; // of the tile, blocks
const int kRows = 17;
const int kSteps = 64; // of a group
const int kBeside = 3; // columns, rows and steps before those that are stored
const int kApart = 8;  // texels, from a row or slice of the group to the next
const int kLanes = kColumns * kRows;

uniform Params {
    ivec3 below; // blocks, rows and slices of level 3
    ivec3 level; // of level 5
} params;

readonly buffer Source { uvec4 values[]; } source;
writeonly buffer Result { uvec4 values[]; } result;

// What the invocations have of levels 3 and 4; of every second step, so that none is written while it
// is read.
shared uvec4 tiles[2 * 2 * kLanes];

// Beyond the level is nothing, or its edge.
uvec4 block_at(int block, int y, int z) {
    if (kClamps != 0u) {
        y = clamp(y, 0, params.below.y - 1);
        z = clamp(z, 0, params.below.z - 1);
    } else if (uint(y) >= uint(params.below.y) || uint(z) >= uint(params.below.z)) {
        return uvec4(0u);
    }
    int first = (z * params.below.y + y) * params.below.x;
    if (uint(block) < uint(params.below.x)) return source.values[first + block];
    if (kClamps == 0u) return uvec4(0u);
    return block < 0 ? uvec4((source.values[first].x & 0xffffu) * 0x10001u)
                     : uvec4((source.values[first + params.below.x - 1].w >> 16u) * 0x10001u);
}

// Sums of two by two texels, `apart` columns and rows of the tile from each other. What lanes at the
// edge find is not looked at.
RowSums fours_of(int first, uvec4 own, int apart) {
    int lane = int(gl_LocalInvocationID.x);
    int above = max(lane - kColumns * apart, 0);
    RowSums row = added(row_sums(own), row_sums(tiles[first + max(lane - apart, 0)]));
    RowSums other =
        added(row_sums(tiles[first + above]), row_sums(tiles[first + max(above - apart, 0)]));
    return with_half(added(row, other));
}

void main() {
    int lane = int(gl_LocalInvocationID.x);
    int column = lane % kColumns;
    int row = lane / kColumns;
    ivec3 group = ivec3(gl_WorkGroupID);
    int block = group.x * (kColumns - kBeside) + column - kBeside;
    int y = (group.y / kApart * (kRows - kBeside) + row - kBeside) * kApart + group.y % kApart;
    int first = group.z / kApart * kSteps;
    int offset = group.z % kApart; // of the group's slices
    int end = min(first + kSteps, (params.level.z - offset + kApart - 1) / kApart);
    bool counts =
        column >= kBeside && row >= kBeside && block < params.level.x && y < params.level.y;

    const RowSums kNone = RowSums(uvec4(0u), uvec4(0u));
    RowSums of_third = kNone; // sums of fours, of steps before
    RowSums of_fourth[2] = RowSums[2](kNone, kNone);
    uvec4 own = block_at(block, y, (first - kBeside) * kApart + offset);
    uvec4 fourth = uvec4(0u);
    int base = 0;
    for (int at = first - kBeside; at <= end; ++at) {
        tiles[base + lane] = own;
        tiles[base + kLanes + lane] = fourth;
        barrier();
        uvec4 next = block_at(block, y, (at + 1) * kApart + offset);
        RowSums fours = fours_of(base + kLanes, fourth, 2);
        int z = (at - 1) * kApart + offset;
        if (counts && at > first)
            result.values[(z * params.level.y + y) * params.level.x + block] =
                mean_of_eight(added(fours, of_fourth[1]));
        of_fourth = RowSums[2](fours, of_fourth[0]);
        fours = fours_of(base, own, 1);
        fourth = mean_of_eight(added(fours, of_third));
        of_third = fours;
        own = next;
        base = 2 * kLanes - base;
    }
}
