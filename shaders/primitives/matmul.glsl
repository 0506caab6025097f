// The operands of a matrix product C = A * B: A is rows x inner, B is inner x columns, C is
// rows x columns and stored row by row. A and B are stored by rows or by columns.

layout(constant_id = 0) const uint left_by_columns = 0u;
layout(constant_id = 1) const uint right_by_columns = 0u;

readonly buffer Left { float values[]; } left;
readonly buffer Right { float values[]; } right;

uniform Params {
    uint rows;
    uint columns;
    uint inner;
    uint first;  // step of the inner dimension, where it is cut into passes
    uvec2 tiles; // of the result: across, down
} params;

float left_element(uint row, uint k) {
    return left.values[left_by_columns != 0u ? k * params.rows + row : row * params.inner + k];
}

float right_element(uint k, uint column) {
    return right.values[right_by_columns != 0u ? column * params.inner + k
                                               : k * params.columns + column];
}
