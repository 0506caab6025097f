#version 460
// Several kernels at once as a product of matrices, by the matrix units of the device
// (VK_NV_cooperative_matrix): numbers and weights of 16 bits, sums of 32. A group makes a tile of 128
// results of 16 kernels, each of its eight subgroups 16 results; while 32 weights are multiplied, the
// numbers for the next ones are on their way. Subgroups have 32 invocations.
//
// Traffic: a number for each 16 kernels' weight, from the caches for the most part; 4 bytes a result.
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_NV_cooperative_matrix : require

layout(local_size_x = 256) in;
#include "invocation.glsl"
#include "matrix_rows.glsl"

readonly buffer Weights { uvec4 values[]; } weights; // see matrix_weights.comp
readonly buffer Scales { float values[]; } scales;   // of the kernels

const uint kSmall = 16u;         // side of what the units multiply
const uint kInner = 32u;         // weights at a time
const uint kFetched = kInner / 2u; // numbers that an invocation brings
// Eight values are a uvec4; one is left out after each line, so that lines begin in different banks.
const uint kLine = kInner / 8u + 1u;
const uint kWeightLine = kTileColumns / 8u + 1u;
const uint kWeightVectors = kInner * kTileColumns / 8u;

shared uvec4 numbers[kTileRows * kLine];
shared uvec4 weight_tile[kInner * kWeightLine];

float next[kFetched];
uvec4 next_weights;

void fetch(Row row, uint first_fetched, uint block, uint inner) {
    Cursor cursor = cursor_at(row, inner + first_fetched);
    [[unroll]] for (uint i = 0u; i < kFetched; ++i) next[i] = next_number(row, cursor);
    uint lines = (kTaps + kInner - 1u) / kInner * kInner;
    if (gl_LocalInvocationIndex < kWeightVectors)
        next_weights =
            weights.values[(block * lines + inner) * (kTileColumns / 8u) + gl_LocalInvocationIndex];
}

void store(uint fetched_row, uint first_fetched) {
    [[unroll]] for (uint i = 0u; i < kFetched / 8u; ++i) {
        uvec4 eight;
        [[unroll]] for (uint j = 0u; j < 4u; ++j)
            eight[j] = packHalf2x16(vec2(next[8u * i + 2u * j], next[8u * i + 2u * j + 1u]));
        numbers[fetched_row * kLine + first_fetched / 8u + i] = eight;
    }
    uint thread = gl_LocalInvocationIndex;
    if (thread < kWeightVectors)
        weight_tile[thread / (kTileColumns / 8u) * kWeightLine + thread % (kTileColumns / 8u)] =
            next_weights;
}

void main() {
    uint tile = group_index();
    if (tile >= params.tiles.x * params.tiles.y) return; // the whole group
    uint block = tile % params.tiles.x;
    uint first_row = tile / params.tiles.x * kTileRows;
    uint fetched_row = gl_LocalInvocationIndex % kTileRows;
    uint first_fetched = gl_LocalInvocationIndex / kTileRows * kFetched;
    Row row = row_of(first_row + fetched_row);
    uint own_row = gl_SubgroupID * kSmall;

    fcoopmatNV<32, gl_ScopeSubgroup, kSmall, kSmall> sums =
        fcoopmatNV<32, gl_ScopeSubgroup, kSmall, kSmall>(0.0);
    fetch(row, first_fetched, block, 0u);
    store(fetched_row, first_fetched);
    barrier();
    for (uint inner = 0u; inner < kTaps; inner += kInner) {
        bool more = inner + kInner < kTaps;
        if (more) fetch(row, first_fetched, block, inner + kInner);
        [[unroll]] for (uint k = 0u; k < kInner; k += kSmall) {
            fcoopmatNV<16, gl_ScopeSubgroup, kSmall, kSmall> a;
            fcoopmatNV<16, gl_ScopeSubgroup, kSmall, kSmall> b;
            coopMatLoadNV(a, numbers, own_row * kLine + k / 8u, kLine, false);
            coopMatLoadNV(b, weight_tile, k * kWeightLine, kWeightLine, false);
            sums = coopMatMulAddNV(a, b, sums);
        }
        barrier();
        if (more) store(fetched_row, first_fetched);
        barrier();
    }

    // The units' own order of values is not told: through shared memory, a kernel's 16 results in four
    // vectors.
    uint staged = gl_SubgroupID * 64u;
    coopMatStoreNV(sums, numbers, staged, 4u, true);
    subgroupMemoryBarrierShared();
    subgroupBarrier();
    uint result_row = gl_SubgroupInvocationID % kSmall;
    [[unroll]] for (uint i = 0u; i < kTileColumns; i += 2u) {
        uint column = i + gl_SubgroupInvocationID / kSmall;
        uint which = block * kTileColumns + column;
        if (which >= params.filters) continue;
        float sum = uintBitsToFloat(numbers[staged + column * 4u + result_row / 4u][result_row % 4u]);
        store_result(first_row + own_row + result_row, which, scales.values[which] * sum);
    }
}
