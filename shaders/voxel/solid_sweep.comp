#version 460
// The second phase of solid voxelization: a voxel is inside where an odd number of flips is at it
// or above. A group takes 16 words side by side and whole columns of them: 16 invocations one above
// the other keep kSlices slices each, so that every word is read and written once.
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_arithmetic : require

layout(constant_id = 0) const uint kSlices = 32u;
layout(constant_id = 1) const uint kCounts = 1u; // 1: set voxels

layout(local_size_x = 256) in;

uniform Params {
    uint lines;        // columns of words
    uint inner;        // that many follow one another in memory, ...
    uint outer_stride; // ... and then the next ones begin this many words later
    uint stride;       // words from a slice to the next higher one
    uint slices;
} params;

#include "invocation.glsl"
#include "status.glsl"

buffer Words { uint values[]; } words;
readonly buffer Guard { uint values[]; } guard;

const uint kWidth = 16u;
const uint kChunks = 16u;

shared uint totals[kChunks][kWidth];
shared uint set_voxels;
shared uint open_columns;

void main() {
    uint lane = gl_LocalInvocationIndex;
    if (lane == 0u) set_voxels = open_columns = 0u;
    uint across = lane % kWidth;
    uint chunk = lane / kWidth;
    uint line = group_index() * kWidth + across;
    bool is_line = line < params.lines;
    uint base = line / params.inner * params.outer_stride + line % params.inner;

    uint above = 0u; // parity of all slices that have been swept
    uint count = 0u;
    uint slab = kChunks * kSlices;
    uint slabs = (params.slices + slab - 1u) / slab;
    for (uint s = slabs; s > 0u; --s) {
        uint first = (s - 1u) * slab + chunk * kSlices;
        uint flips[kSlices];
        uint total = 0u;
        [[unroll]] for (uint i = 0u; i < kSlices; ++i) {
            uint y = first + i;
            flips[i] = is_line && y < params.slices ? words.values[base + y * params.stride] : 0u;
        }
        [[unroll]] for (uint i = 0u; i < kSlices; ++i) total ^= flips[i];
        totals[chunk][across] = total;
        barrier();
        uint all = above;
        uint parity = above;
        [[unroll]] for (uint c = 0u; c < kChunks; ++c) {
            uint other = totals[c][across];
            all ^= other;
            parity ^= c > chunk ? other : 0u;
        }
        above = all;
        [[unroll]] for (uint j = 0u; j < kSlices; ++j) {
            uint i = kSlices - 1u - j;
            uint y = first + i;
            parity ^= flips[i];
            if (!is_line || y >= params.slices) continue;
            count += uint(bitCount(parity));
            // Above the topmost flip, and where flips meet, nothing changes.
            if (parity != flips[i]) words.values[base + y * params.stride] = parity;
        }
        barrier();
    }
    if (chunk == 0u && is_line) {
        uint open = above ^ guard.values[line];
        if (open != 0u) atomicAdd(open_columns, uint(bitCount(open)));
    }
    uint sum = subgroupAdd(count);
    if (subgroupElect() && sum != 0u) atomicAdd(set_voxels, sum);
    barrier();
    if (lane != 0u) return;
    if (open_columns != 0u) atomicAdd(status.open_columns, open_columns);
    if (kCounts == 0u || set_voxels == 0u) return;
    count_voxels(set_voxels);
}
