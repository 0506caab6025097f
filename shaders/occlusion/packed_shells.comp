#version 460
// What comes through all shells around each voxel, of an N-buffer in blocks of packed.glsl. The cube
// of even width that is symmetric about a voxel is the mean of eight texels, so that no sampler is
// needed. An invocation has a block; the group stores its texels neighbours next to each other.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "opacities.glsl"
#include "packed.glsl"

layout(constant_id = 0) const uint kOwn = 0u; // 1: the voxel itself counts
layout(constant_id = 1) const uint has_means = 0u;
layout(constant_id = 2) const uint has_dirty = 0u; // 1: bricks that are not keep what was there

const int kMaxLevels = 11; // as in levels.hpp

uniform Params {
    ivec3 dims;
    int blocks;     // of a row of voxels
    uint shells;
    float strength; // exponent of the result
    float growth;   // of shells' exponents, from one to the next
    ivec3 bricks;   // of "dirty"
    // Blocks, rows and slices of each level, and its first block; of level 0, the voxels, as well.
    ivec4 levels[kMaxLevels + 1];
} params;

readonly buffer Voxels { uvec4 values[]; } voxels;
readonly buffer Means { uvec4 values[]; } means; // of all levels
readonly buffer Dirty { uint values[]; } dirty;  // a word a brick
uniform sampler3D before;
writeonly uniform image3D result;

shared float open_texels[256 * kBlock];

// Of two by two rows, a block of texels and the one after it.
void four_rows(ivec4 level, int block, ivec2 row, out RowSums own, out RowSums after) {
    own = RowSums(uvec4(0u), uvec4(0u));
    after = own;
    for (int i = 0; i < 4; ++i) {
        int at = level.w + ((row.y + i / 2) * level.y + row.x + i % 2) * level.x + block;
        own = added(own, row_sums(means.values[at]));
        // No texel is needed of the block behind the last one.
        if (block + 1 < level.x) after = added(after, row_sums(means.values[at + 1]));
    }
}

// Sums of eight texels for the voxels of a block, those of even and odd places.
void eights(int number, ivec3 first, out uvec4 even, out uvec4 odd) {
    int beside = (1 << number - 1) - 1; // from a voxel to its first texel
    RowSums own, after;
    four_rows(params.levels[number], (first.x + beside) / kBlock, first.yz + beside, own, after);
    uvec4 a = lower(own); // texels 0, 2, 4, 6; b: 1, 3, 5, 7; c and d follow
    uvec4 b = own.upper;
    uvec4 c = lower(after);
    uvec4 d = after.upper;
    uvec4 third = uvec4(a.yzw, c.x); // texels 2, 4, 6, 8
    uvec4 fourth = uvec4(b.yzw, d.x);
    if (beside == 0) {
        even = a + b;
        odd = b + third;
    } else if (beside == 1) {
        even = b + third;
        odd = third + fourth;
    } else if (beside == 3) {
        uvec4 fifth = uvec4(a.zw, c.xy);
        even = fourth + fifth;
        odd = fifth + uvec4(b.zw, d.xy);
    } else { // 7 beyond whole blocks
        even = uvec4(b.w, d.xyz) + c;
        odd = c + d;
    }
}

vec4 through(vec4 mean, vec4 inner, float exponent) {
    // (8 * mean - inner) / 7, so that even opacity is kept to the bit; means are rounded: it may be
    // beyond.
    vec4 shell = clamp(mean + (mean - inner) / 7.0, 0.0, 1.0);
    return vec4(passes_shell(shell.x, exponent), passes_shell(shell.y, exponent),
                passes_shell(shell.z, exponent), passes_shell(shell.w, exponent));
}

void open_block(int block, ivec2 row, out vec4 open_even, out vec4 open_odd) {
    uvec4 own = voxels.values[(row.y * params.dims.y + row.x) * params.blocks + block];
    vec4 inner_even = vec4(own & 0xffffu) / kOne;
    vec4 inner_odd = vec4(own >> 16u) / kOne;
    open_even = kOwn != 0u ? 1.0 - inner_even : vec4(1.0);
    open_odd = kOwn != 0u ? 1.0 - inner_odd : vec4(1.0);
    float exponent = 1.0;
    for (int number = 1; has_means != 0u && number <= int(params.shells); ++number) {
        uvec4 even, odd;
        eights(number, ivec3(block * kBlock, row), even, odd);
        vec4 mean_even = vec4(even) / (8.0 * kOne);
        vec4 mean_odd = vec4(odd) / (8.0 * kOne);
        open_even *= through(mean_even, inner_even, exponent);
        open_odd *= through(mean_odd, inner_odd, exponent);
        inner_even = mean_even;
        inner_odd = mean_odd;
        exponent *= params.growth;
    }
}

// Of a block of the volume.
ivec3 first_voxel(uint block) {
    uint row = block / uint(params.blocks);
    return ivec3(block % uint(params.blocks) * kBlock, row % uint(params.dims.y),
                 row / uint(params.dims.y));
}

bool is_dirty(ivec3 voxel) {
    return has_dirty == 0u ||
           dirty.values[brick_number(voxel / kBrick, params.bricks)] != 0u;
}

void main() {
    uint lane = gl_LocalInvocationID.x;
    uint group_first = group_index() * 256u;
    ivec3 first = first_voxel(group_first + lane);
    if (first.z < params.dims.z && is_dirty(first)) {
        vec4 even, odd;
        open_block(first.x / kBlock, first.yz, even, odd);
        for (int k = 0; k < 4; ++k) {
            open_texels[lane * kBlock + 2 * k] = even[k];
            open_texels[lane * kBlock + 2 * k + 1] = odd[k];
        }
    }
    barrier();
    for (uint i = lane; i < 256u * kBlock; i += 256u) {
        ivec3 voxel = first_voxel(group_first + i / kBlock) + ivec3(i % kBlock, 0, 0);
        if (voxel.x >= params.dims.x || voxel.z >= params.dims.z) continue;
        if (!is_dirty(voxel)) {
            imageStore(result, voxel, texelFetch(before, voxel, 0));
            continue;
        }
        float open = open_texels[i];
        if (params.strength != 1.0) open = open > 0.0 ? pow(open, params.strength) : 0.0;
        imageStore(result, voxel, vec4(kept(open)));
    }
}
