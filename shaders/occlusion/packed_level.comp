#version 460
// The next level of an N-buffer in blocks of packed.glsl: each texel is the mean of the eight of the
// level below that are as far apart as their cubes are wide, rounded to the nearest. An invocation
// makes two blocks along y and a run of them along z, all that far apart, which share most of theirs.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "packed.glsl"

layout(constant_id = 0) const uint has_needed = 0u; // 1: cubes of some bricks alone
layout(constant_id = 20) const uint kClamps = 0u;    // as in opacities.glsl

const int kRun = 8; // as in passes/occlusion/packed.cpp

uniform Params {
    ivec3 below;       // blocks, rows and slices of the level below
    ivec3 level;       // of this one
    int apart;         // texels
    int pairs;         // invocations along y
    ivec3 bricks;      // of "needed"
    int begin;         // voxels from the first one's to where cubes of texel 0 begin
} params;

readonly buffer Needed { uint values[]; } needed; // a word a brick: cubes that begin there count
readonly buffer Source { uvec4 values[]; } source;
writeonly buffer Result { uvec4 values[]; } result;

// The first of an invocation's rows or slices, of which each group of `apart` makes `count` times
// as many.
int spread(int index, int count) {
    return index / params.apart * params.apart * count + index % params.apart;
}

// What is beside a row is its last texel, or nothing.
uvec4 block_of(int first, int block) {
    if (uint(block) < uint(params.below.x)) return source.values[first + block];
    if (kClamps == 0u) return uvec4(0u);
    return block < 0 ? uvec4((source.values[first].x & 0xffffu) * 0x10001u)
                     : uvec4((source.values[first + params.below.x - 1].w >> 16u) * 0x10001u);
}

// Of each texel of a block and the one `apart` before it.
RowSums pairs_of_row(int block, int y, int z) {
    if (kClamps != 0u) {
        y = clamp(y, 0, params.below.y - 1);
        z = clamp(z, 0, params.below.z - 1);
    } else if (uint(y) >= uint(params.below.y) || uint(z) >= uint(params.below.z)) {
        return RowSums(uvec4(0u), uvec4(0u));
    }
    int first = (z * params.below.y + y) * params.below.x;
    uvec4 own = block_of(first, block);
    uvec4 before = block_of(first, block - max(params.apart / kBlock, 1));
    if (params.apart == 1)
        before = uvec4(before.w, own.xyz) >> 16u | own << 16u;
    else if (params.apart == 2)
        before = uvec4(before.w, own.xyz);
    else if (params.apart == 4)
        before = uvec4(before.zw, own.xy);
    return added(row_sums(own), row_sums(before));
}

// Sums of fours for both rows of the invocation.
void fours(int block, int y, int z, out RowSums near, out RowSums far) {
    RowSums middle = pairs_of_row(block, y, z);
    near = with_half(added(pairs_of_row(block, y - params.apart, z), middle));
    far = with_half(added(middle, pairs_of_row(block, y + params.apart, z)));
}

// Whether a cube of two blocks `apart` along y counts.
bool are_needed(int block, int y, int z) {
    if (has_needed == 0u) return true;
    for (int i = 0; i < 4; ++i) {
        ivec3 texel = ivec3(kBlock * block + i % 2 * (kBlock - 1), y + i / 2 * params.apart, z);
        int number = brick_number(texel + params.begin >> 4, params.bricks);
        if (number >= 0 && needed.values[number] != 0u) return true;
    }
    return false;
}

void store_mean(int block, int y, int z, RowSums eights) {
    if (y >= params.level.y) return;
    result.values[(z * params.level.y + y) * params.level.x + block] = mean_of_eight(eights);
}

void main() {
    uint index = invocation_index();
    int block = int(index % uint(params.level.x));
    int rest = int(index / uint(params.level.x));
    int y = spread(rest % params.pairs, 2);
    int z = spread(rest / params.pairs, kRun);
    if (y >= params.level.y || z >= params.level.z) return;
    RowSums near, far;
    bool are_known = false; // of the slice before
    for (int i = 0; i < kRun && z < params.level.z; ++i, z += params.apart) {
        if (!are_needed(block, y, z)) {
            are_known = false;
            continue;
        }
        if (!are_known) fours(block, y, z - params.apart, near, far);
        are_known = true;
        RowSums next_near, next_far;
        fours(block, y, z, next_near, next_far);
        store_mean(block, y, z, added(near, next_near));
        store_mean(block, y + params.apart, z, added(far, next_far));
        near = next_near;
        far = next_far;
    }
}
