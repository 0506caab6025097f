// Bitonic merging in shared memory. All comparisons go upwards: the first step of a merge compares
// mirrored places, which turns the upper half round.
layout(local_size_x = 256) in;
#include "invocation.glsl"
#include "pairs.glsl"

const uint kTile = 2048u; // pairs; as in passes/primitives/bitonic_kernels.cpp

shared Pair tile[kTile];

void order_pair(uint low, uint high) {
    Pair a = tile[low];
    Pair b = tile[high];
    if (!pair_before(b, a)) return;
    tile[low] = b;
    tile[high] = a;
}

// Compares places `stride` apart. All must call it; afterwards all may read.
void compare_strided(uint stride) {
    for (uint i = gl_LocalInvocationIndex; i < kTile / 2u; i += gl_WorkGroupSize.x) {
        uint low = 2u * stride * (i / stride) + i % stride;
        order_pair(low, low + stride);
    }
    barrier();
}

// Compares each place of a block with its mirror image.
void compare_mirrored(uint block) {
    uint half_block = block / 2u;
    for (uint i = gl_LocalInvocationIndex; i < kTile / 2u; i += gl_WorkGroupSize.x) {
        uint first = block * (i / half_block);
        uint offset = i % half_block;
        order_pair(first + offset, first + block - 1u - offset);
    }
    barrier();
}
