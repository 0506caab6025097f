#version 460
// Several kernels at once as a product of matrices, in single precision. A group makes a tile of 128
// results of 16 kernels, each invocation four results of two; it takes 16 weights at a time.
//
// Traffic: a number for each 16 kernels' weight, from the caches for the most part; 4 bytes a result.
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256) in;
#include "invocation.glsl"
#include "matrix_rows.glsl"

readonly buffer Weights { float values[]; } weights;

const uint kInner = 16u;              // weights at a time
const uint kFetched = kInner / 2u;    // numbers that an invocation brings
const uint kRowVectors = kTileRows / 4u;

shared float numbers[kInner * kTileRows]; // by weights
shared float weight_tile[kInner * kTileColumns];

float weight_at(uint column, uint tap) {
    if (column >= params.filters || tap >= kTaps) return 0.0;
    return weights.values[weight_index(column * kTaps, tap, params.turned)];
}

void main() {
    uint tile = group_index();
    if (tile >= params.tiles.x * params.tiles.y) return; // the whole group
    uint first_column = tile % params.tiles.x * kTileColumns;
    uint first_row = tile / params.tiles.x * kTileRows;

    uint thread = gl_LocalInvocationIndex;
    uint fetched_row = thread % kTileRows;
    uint first_fetched = thread / kTileRows * kFetched;
    Row row = row_of(first_row + fetched_row);
    uint own_rows = thread % kRowVectors;
    uint own_columns = thread / kRowVectors;

    vec4 sums[2] = vec4[2](vec4(0.0), vec4(0.0));
    for (uint inner = 0u; inner < kTaps; inner += kInner) {
        Cursor cursor = cursor_at(row, inner + first_fetched);
        [[unroll]] for (uint i = 0u; i < kFetched; ++i)
            numbers[(first_fetched + i) * kTileRows + fetched_row] = next_number(row, cursor);
        weight_tile[thread] = weight_at(first_column + thread % kTileColumns,
                                        inner + thread / kTileColumns);
        barrier();
        [[unroll]] for (uint k = 0u; k < kInner; ++k) {
            uint first = k * kTileRows + own_rows;
            vec4 a = vec4(numbers[first], numbers[first + kRowVectors],
                          numbers[first + 2u * kRowVectors], numbers[first + 3u * kRowVectors]);
            [[unroll]] for (uint j = 0u; j < 2u; ++j)
                sums[j] = fma(a, vec4(weight_tile[k * kTileColumns + 2u * own_columns + j]), sums[j]);
        }
        barrier();
    }
    [[unroll]] for (uint j = 0u; j < 2u; ++j)
        [[unroll]] for (uint i = 0u; i < 4u; ++i)
            store_result(first_row + own_rows + i * kRowVectors,
                         first_column + 2u * own_columns + j, sums[j][i]);
}
