// What the kernels share that multiply matrices by large tiles: reading the operands, A of rows x inner
// and B of inner x columns, which lie by rows or by columns, four neighbours of a line at a time; which
// tile a group makes; and writing the result, by rows.
#include "half_float.glsl"
#include "invocation.glsl"

layout(constant_id = 0) const uint left_by_columns = 0u;
layout(constant_id = 1) const uint right_by_columns = 0u;
// Whole vectors are read where the lines of a matrix are multiples of four long.
layout(constant_id = 2) const uint left_in_vectors = 0u;
layout(constant_id = 3) const uint right_in_vectors = 0u;
// No tile reaches beyond its matrix: nothing is compared with the sizes.
layout(constant_id = 4) const uint whole_tiles = 0u;

// The operands are rounded to 16 bits, as matrix units have them.
layout(constant_id = 5) const uint half_operands = 0u;

readonly buffer Left { vec4 values[]; } left;
readonly buffer Right { vec4 values[]; } right;
writeonly buffer Product { float values[]; } product;

uniform Params {
    uint rows;
    uint columns;
    uint inner;
    uvec2 tiles; // of the result: across, down
} params;

vec4 as_operand(vec4 values) {
    if (half_operands == 0u) return values;
    return rounded_to_half(values);
}

float left_value(uint at) {
    return left.values[at >> 2u][at & 3u];
}

float right_value(uint at) {
    return right.values[at >> 2u][at & 3u];
}

// Four neighbours of a stored line of A or B, zero beyond the matrix.
vec4 left_line(uint line, uint at) {
    uint lines = left_by_columns != 0u ? params.inner : params.rows;
    uint length = left_by_columns != 0u ? params.rows : params.inner;
    if (whole_tiles == 0u && (line >= lines || at >= length)) return vec4(0.0);
    uint first = line * length + at;
    if (left_in_vectors != 0u) return left.values[first >> 2u];
    vec4 result = vec4(left_value(first), 0.0, 0.0, 0.0);
    if (at + 1u < length) result.y = left_value(first + 1u);
    if (at + 2u < length) result.z = left_value(first + 2u);
    if (at + 3u < length) result.w = left_value(first + 3u);
    return result;
}

vec4 right_line(uint line, uint at) {
    uint lines = right_by_columns != 0u ? params.columns : params.inner;
    uint length = right_by_columns != 0u ? params.inner : params.columns;
    if (whole_tiles == 0u && (line >= lines || at >= length)) return vec4(0.0);
    uint first = line * length + at;
    if (right_in_vectors != 0u) return right.values[first >> 2u];
    vec4 result = vec4(right_value(first), 0.0, 0.0, 0.0);
    if (at + 1u < length) result.y = right_value(first + 1u);
    if (at + 2u < length) result.z = right_value(first + 2u);
    if (at + 3u < length) result.w = right_value(first + 3u);
    return result;
}

// The tile of the result that this group makes. Groups that run at the same time should share rows
// of A and columns of B in the cache: they walk along bands of eight tiles. Groups are folded into
// two dimensions, and there may be too many: then the tile lies outside.
uvec2 own_tile() {
    const uint kBand = 8u;
    uint group = group_index();
    uint band = group / (kBand * params.tiles.x);
    uint in_band = group % (kBand * params.tiles.x);
    if (band * kBand >= params.tiles.y) return params.tiles;
    uint height = min(kBand, params.tiles.y - band * kBand);
    return uvec2(in_band / height, band * kBand + in_band % height);
}

void store_product(uint row, uint column, vec4 value) {
    if (whole_tiles == 0u && (row >= params.rows || column >= params.columns)) return;
    uint at = row * params.columns + column;
    if (whole_tiles != 0u || column + 3u < params.columns) {
        product.values[at] = value.x;
        product.values[at + 1u] = value.y;
        product.values[at + 2u] = value.z;
        product.values[at + 3u] = value.w;
        return;
    }
    product.values[at] = value.x;
    if (column + 1u < params.columns) product.values[at + 1u] = value.y;
    if (column + 2u < params.columns) product.values[at + 2u] = value.z;
}
