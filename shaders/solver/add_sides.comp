#version 460
// Adds to a right-hand side what the values on the box's sides leave there once the cells beyond them
// are eliminated: a weight times the value, in the outermost cells. C++: `PoissonAxis::value_weight`.
layout(local_size_x = 256) in;

uniform Params {
    ivec3 cells;
    vec3 low_value;   // on the whole side
    vec3 high_value;
    vec3 low_weight;  // 0: the axis has no sides
    vec3 high_weight;
    uint has_x_low;
    uint has_x_high;
    uint has_y_low;
    uint has_y_high;
    uint has_z_low;
    uint has_z_high;
} params;

readonly buffer Rhs { float values[]; } rhs;
// A number a cell of the side.
readonly buffer XLow { float values[]; } x_low;
readonly buffer XHigh { float values[]; } x_high;
readonly buffer YLow { float values[]; } y_low;
readonly buffer YHigh { float values[]; } y_high;
readonly buffer ZLow { float values[]; } z_low;
readonly buffer ZHigh { float values[]; } z_high;
writeonly buffer Result { float values[]; } result;

#include "solver/cell_at.glsl"
#include "invocation.glsl"

void main() {
    int i = int(invocation_index());
    ivec3 cell = cell_at(i, params.cells);
    if (cell.z >= params.cells.z) return;
    float f = rhs.values[i];
    if (cell.x == 0) {
        float value = params.low_value.x;
        if (params.has_x_low != 0u) value += x_low.values[cell.y + params.cells.y * cell.z];
        f += params.low_weight.x * value;
    }
    if (cell.x == params.cells.x - 1) {
        float value = params.high_value.x;
        if (params.has_x_high != 0u) value += x_high.values[cell.y + params.cells.y * cell.z];
        f += params.high_weight.x * value;
    }
    if (cell.y == 0) {
        float value = params.low_value.y;
        if (params.has_y_low != 0u) value += y_low.values[cell.x + params.cells.x * cell.z];
        f += params.low_weight.y * value;
    }
    if (cell.y == params.cells.y - 1) {
        float value = params.high_value.y;
        if (params.has_y_high != 0u) value += y_high.values[cell.x + params.cells.x * cell.z];
        f += params.high_weight.y * value;
    }
    if (cell.z == 0) {
        float value = params.low_value.z;
        if (params.has_z_low != 0u) value += z_low.values[cell.x + params.cells.x * cell.y];
        f += params.low_weight.z * value;
    }
    if (cell.z == params.cells.z - 1) {
        float value = params.high_value.z;
        if (params.has_z_high != 0u) value += z_high.values[cell.x + params.cells.x * cell.y];
        f += params.high_weight.z * value;
    }
    result.values[i] = f;
}
