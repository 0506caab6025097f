#version 460
// Matrix product by the matrix units of the device (VK_NV_cooperative_matrix): operands of 16 bits, sums
// of 32. A group makes a tile of 128x128, each of its eight subgroups 64x32 of it, 16x16 at a time. While
// a tile is multiplied, the next one is on its way from memory. Subgroups have 32 invocations.
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_NV_cooperative_matrix : require

layout(local_size_x = 256) in;
#include "matmul_lines.glsl"

const uint kGroup = 256u;
const uint kSide = 128u;  // of the tile
const uint kInner = 32u;  // products that a tile adds to each element
const uint kSmall = 16u;  // side of what the units multiply
const uint kDown = 4u;    // of these, that a subgroup makes
const uint kAcross = 2u;
// The tiles lie as the matrices do, eight values of a line in a uvec4, and one is left out after each
// line, so that lines begin in different banks.
const uint kInnerVectors = kInner / 8u;
const uint kSideVectors = kSide / 8u;
const uint kLoads = kSide * kInnerVectors / kGroup; // of eight values, by an invocation
const uint kTileVectors = kSide * (kInnerVectors + 1u);

shared uvec4 left_tile[kTileVectors];
shared uvec4 right_tile[kTileVectors];

// Vectors of a line of the tiles, as they lie.
const uint kLeftLine = left_by_columns != 0u ? kSideVectors : kInnerVectors;
const uint kRightLine = right_by_columns != 0u ? kInnerVectors : kSideVectors;

vec4 next_left[2u * kLoads];
vec4 next_right[2u * kLoads];

void fetch_tiles(uvec2 corner, uint inner) {
    [[unroll]] for (uint i = 0u; i < kLoads; ++i) {
        uint slot = gl_LocalInvocationIndex + i * kGroup;
        uvec2 left_first = left_by_columns != 0u ? uvec2(inner, corner.y) : uvec2(corner.y, inner);
        uvec2 right_first = right_by_columns != 0u ? uvec2(corner.x, inner) : uvec2(inner, corner.x);
        uvec2 at_left = left_first + uvec2(slot / kLeftLine, slot % kLeftLine * 8u);
        uvec2 at_right = right_first + uvec2(slot / kRightLine, slot % kRightLine * 8u);
        [[unroll]] for (uint j = 0u; j < 2u; ++j) {
            next_left[2u * i + j] = left_line(at_left.x, at_left.y + 4u * j);
            next_right[2u * i + j] = right_line(at_right.x, at_right.y + 4u * j);
        }
    }
}

uvec4 packed(vec4 first, vec4 second) {
    return uvec4(packHalf2x16(first.xy), packHalf2x16(first.zw), packHalf2x16(second.xy),
                 packHalf2x16(second.zw));
}

void store_tiles() {
    [[unroll]] for (uint i = 0u; i < kLoads; ++i) {
        uint slot = gl_LocalInvocationIndex + i * kGroup;
        left_tile[slot / kLeftLine * (kLeftLine + 1u) + slot % kLeftLine] =
            packed(next_left[2u * i], next_left[2u * i + 1u]);
        right_tile[slot / kRightLine * (kRightLine + 1u) + slot % kRightLine] =
            packed(next_right[2u * i], next_right[2u * i + 1u]);
    }
}

// Where the 16x16 values that begin at a row and column of A's or B's tile lie.
uint place_in(uint row, uint column, bool by_columns, uint line) {
    return by_columns ? column * (line + 1u) + row / 8u : row * (line + 1u) + column / 8u;
}

void main() {
    uvec2 tile = own_tile();
    if (any(greaterThanEqual(tile, params.tiles))) return; // the whole group
    uvec2 corner = tile * kSide;
    uint first_row = gl_SubgroupID / 4u * kDown * kSmall;
    uint first_column = gl_SubgroupID % 4u * kAcross * kSmall;

    fcoopmatNV<32, gl_ScopeSubgroup, kSmall, kSmall> sums[kDown][kAcross];
    [[unroll]] for (uint i = 0u; i < kDown; ++i)
        [[unroll]] for (uint j = 0u; j < kAcross; ++j)
            sums[i][j] = fcoopmatNV<32, gl_ScopeSubgroup, kSmall, kSmall>(0.0);

    fetch_tiles(corner, 0u);
    store_tiles();
    barrier();
    for (uint inner = 0u; inner < params.inner; inner += kInner) {
        bool more = inner + kInner < params.inner;
        if (more) fetch_tiles(corner, inner + kInner);
        [[unroll]] for (uint k = 0u; k < kInner; k += kSmall) {
            fcoopmatNV<16, gl_ScopeSubgroup, kSmall, kSmall> a[kDown];
            fcoopmatNV<16, gl_ScopeSubgroup, kSmall, kSmall> b[kAcross];
            [[unroll]] for (uint i = 0u; i < kDown; ++i)
                coopMatLoadNV(a[i], left_tile,
                              place_in(first_row + i * kSmall, k, left_by_columns != 0u, kLeftLine),
                              kLeftLine + 1u, left_by_columns != 0u);
            [[unroll]] for (uint j = 0u; j < kAcross; ++j)
                coopMatLoadNV(b[j], right_tile,
                              place_in(k, first_column + j * kSmall, right_by_columns != 0u,
                                       kRightLine),
                              kRightLine + 1u, right_by_columns != 0u);
            [[unroll]] for (uint i = 0u; i < kDown; ++i)
                [[unroll]] for (uint j = 0u; j < kAcross; ++j)
                    sums[i][j] = coopMatMulAddNV(a[i], b[j], sums[i][j]);
        }
        barrier();
        if (more) store_tiles();
        barrier();
    }

    // The units' own order of values is not told: through shared memory, a row of 16 in four vectors.
    uint staged = gl_SubgroupID * 64u;
    uint row = gl_SubgroupInvocationID / 2u;
    uint half_row = gl_SubgroupInvocationID % 2u;
    [[unroll]] for (uint i = 0u; i < kDown; ++i)
        [[unroll]] for (uint j = 0u; j < kAcross; ++j) {
            coopMatStoreNV(sums[i][j], left_tile, staged, 4u, false);
            subgroupMemoryBarrierShared();
            subgroupBarrier();
            [[unroll]] for (uint k = 0u; k < 2u; ++k)
                store_product(corner.y + first_row + i * kSmall + row,
                              corner.x + first_column + j * kSmall + half_row * 8u + k * 4u,
                              uintBitsToFloat(left_tile[staged + row * 4u + half_row * 2u + k]));
            subgroupBarrier();
        }
}
