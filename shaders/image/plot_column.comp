#version 460
// Writes a curve into its column of a table.

layout(local_size_x = 256) in;

#include "invocation.glsl"

uniform Params {
    uint rows;
    uint columns;
    uint column;
    uint values; // of the curve
} params;

readonly buffer Curve { float values[]; } curve;
writeonly buffer Table { float values[]; } table;

void main() {
    uint row = invocation_index();
    if (row >= params.rows) return;
    float value = uintBitsToFloat(0x7fc00000u); // none
    if (row < params.values) value = curve.values[row];
    table.values[row * params.columns + params.column] = value;
}
