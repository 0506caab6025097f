#version 460
// Matrix product by tiles that registers accumulate: of 64x64 for any device, with 16 KiB of shared
// memory; or LARGE, of 128x256, for devices with 48 KiB and many registers.
//! variants LARGE=0,1

#if LARGE
const uint kThreadRows = 8u;
const uint kThreadColumns = 16u;
#else
const uint kThreadRows = 4u;
const uint kThreadColumns = 4u;
#endif
const uint kTileInner = 16u;

// Matrix product by tiles in shared memory and in registers. Each invocation owns kThreadRows x
// kThreadColumns elements of the result, so that a value read from shared memory serves that many
// products. While a tile is multiplied, the next one is on its way from memory; two tiles take
// turns. Before the include, define the constants
//     kThreadRows, kThreadColumns   multiples of 4
//     kTileInner                    8 or 16: products a tile adds to each element
// A group makes 16 * kThreadRows rows and 16 * kThreadColumns columns of the result and takes
// 128 * kTileInner * (kThreadRows + kThreadColumns) bytes of shared memory.
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256) in;

#include "matmul_lines.glsl"

const uint kGroup = 256u;
const uint kTileRows = 16u * kThreadRows;
const uint kTileColumns = 16u * kThreadColumns;
const uint kRowVectors = kTileRows / 4u;
const uint kColumnVectors = kTileColumns / 4u;
const uint kInnerVectors = kTileInner / 4u;
// Vectors of a tile that each invocation brings from memory.
const uint kLeftLoads = kTileRows * kInnerVectors / kGroup;
const uint kRightLoads = kTileColumns * kInnerVectors / kGroup;
const uint kRowParts = kThreadRows / 4u;
const uint kColumnParts = kThreadColumns / 4u;

// [k][row] and [k][column]. Neighbouring k are shifted against each other, see `shift_of`.
shared vec4 left_tile[2u * kTileInner * kRowVectors];
shared vec4 right_tile[2u * kTileInner * kColumnVectors];

// Where lines run along k, one vector goes to four k. Shifting every fourth k spreads what
// neighbouring invocations store over all banks.
uint shift_of(uint k) {
    return (k >> 2u) * (32u / kTileInner);
}

// The share of this invocation of the next tile, on its way from memory.
vec4 next_left[kLeftLoads];
vec4 next_right[kRightLoads];

void fetch_tiles(uvec2 corner, uint inner) {
    uint thread = gl_LocalInvocationIndex;
    [[unroll]] for (uint i = 0u; i < kLeftLoads; ++i) {
        uint slot = thread + i * kGroup;
        next_left[i] = left_by_columns != 0u
                           ? left_line(inner + slot / kRowVectors,
                                       corner.y + slot % kRowVectors * 4u)
                           : left_line(corner.y + slot / kInnerVectors,
                                       inner + slot % kInnerVectors * 4u);
    }
    [[unroll]] for (uint i = 0u; i < kRightLoads; ++i) {
        uint slot = thread + i * kGroup;
        next_right[i] = right_by_columns != 0u
                            ? right_line(corner.x + slot / kInnerVectors,
                                         inner + slot % kInnerVectors * 4u)
                            : right_line(inner + slot / kColumnVectors,
                                         corner.x + slot % kColumnVectors * 4u);
    }
}

void store_tiles(uint buffer_index) {
    [[unroll]] for (uint i = 0u; i < kLeftLoads; ++i) next_left[i] = as_operand(next_left[i]);
    [[unroll]] for (uint i = 0u; i < kRightLoads; ++i) next_right[i] = as_operand(next_right[i]);
    uint thread = gl_LocalInvocationIndex;
    uint left_start = buffer_index * kTileInner * kRowVectors;
    [[unroll]] for (uint i = 0u; i < kLeftLoads; ++i) {
        uint slot = thread + i * kGroup;
        if (left_by_columns != 0u) {
            uint k = slot / kRowVectors;
            left_tile[left_start + k * kRowVectors + (slot % kRowVectors ^ shift_of(k))] =
                next_left[i];
        } else {
            uint k = slot % kInnerVectors * 4u;
            uint row = slot / kInnerVectors;
            uint at = left_start + k * kRowVectors + ((row >> 2u) ^ shift_of(k));
            [[unroll]] for (uint j = 0u; j < 4u; ++j)
                left_tile[at + j * kRowVectors][row & 3u] = next_left[i][j];
        }
    }
    uint right_start = buffer_index * kTileInner * kColumnVectors;
    [[unroll]] for (uint i = 0u; i < kRightLoads; ++i) {
        uint slot = thread + i * kGroup;
        if (right_by_columns != 0u) {
            uint k = slot % kInnerVectors * 4u;
            uint column = slot / kInnerVectors;
            uint at = right_start + k * kColumnVectors + ((column >> 2u) ^ shift_of(k));
            [[unroll]] for (uint j = 0u; j < 4u; ++j)
                right_tile[at + j * kColumnVectors][column & 3u] = next_right[i][j];
        } else {
            uint k = slot / kColumnVectors;
            right_tile[right_start + k * kColumnVectors +
                       (slot % kColumnVectors ^ shift_of(k))] = next_right[i];
        }
    }
}

void main() {
    uvec2 tile = own_tile();
    if (any(greaterThanEqual(tile, params.tiles))) return; // the whole group
    uvec2 corner = tile * uvec2(kTileColumns, kTileRows);
    // 32 neighbouring invocations make a block of 4 x 8: few different vectors are read at once.
    // Eight such blocks, 4 down and 2 across, make the tile.
    uint thread = gl_LocalInvocationIndex;
    uint block_row = thread / 64u * kRowParts * 4u + thread / 8u % 4u;
    uint block_column = thread / 32u % 2u * kColumnParts * 8u + thread % 8u;

    vec4 sums[kThreadRows][kColumnParts];
    [[unroll]] for (uint i = 0u; i < kThreadRows; ++i)
        [[unroll]] for (uint j = 0u; j < kColumnParts; ++j) sums[i][j] = vec4(0.0);

    fetch_tiles(corner, 0u);
    store_tiles(0u);
    barrier();
    uint current = 0u;
    for (uint inner = 0u; inner < params.inner; inner += kTileInner) {
        bool more = inner + kTileInner < params.inner;
        if (more) fetch_tiles(corner, inner + kTileInner);

        uint left_start = current * kTileInner * kRowVectors;
        uint right_start = current * kTileInner * kColumnVectors;
        [[unroll]] for (uint k = 0u; k < kTileInner; ++k) {
            vec4 a[kRowParts];
            vec4 b[kColumnParts];
            [[unroll]] for (uint i = 0u; i < kRowParts; ++i)
                a[i] = left_tile[left_start + k * kRowVectors +
                                 ((block_row + i * 4u) ^ shift_of(k))];
            [[unroll]] for (uint j = 0u; j < kColumnParts; ++j)
                b[j] = right_tile[right_start + k * kColumnVectors +
                                  ((block_column + j * 8u) ^ shift_of(k))];
            [[unroll]] for (uint i = 0u; i < kThreadRows; ++i)
                [[unroll]] for (uint j = 0u; j < kColumnParts; ++j)
                    sums[i][j] = fma(vec4(a[i / 4u][i % 4u]), b[j], sums[i][j]);
        }
        if (more) store_tiles(1u - current);
        barrier();
        current = 1u - current;
    }

    [[unroll]] for (uint i = 0u; i < kThreadRows; ++i)
        [[unroll]] for (uint j = 0u; j < kColumnParts; ++j)
            store_product(corner.y + (block_row + i / 4u * 4u) * 4u + i % 4u,
                          corner.x + (block_column + j * 8u) * 4u, sums[i][j]);
}
