#version 460
// The cell of the middle of each body's box; those that are larger than a cell come behind the last
// cell, those that take no part behind them.

layout(local_size_x = 256) in;

#include "grid.glsl"
#include "invocation.glsl"

readonly buffer Boxes { vec4 values[]; } boxes;
writeonly buffer Keys { uint values[]; } keys;

uniform Params {
    uint count;
    vec3 origin;
    float per_unit;
    uvec3 cells;
    float cell;
} params;

void main() {
    uint i = invocation_index();
    if (i >= params.count) return;
    vec3 low = boxes.values[2u * i].xyz;
    vec4 high = boxes.values[2u * i + 1u];
    uint all = params.cells.x * params.cells.y * params.cells.z;
    bool is_large = any(greaterThan(high.xyz - low, vec3(params.cell)));
    bool is_there = (floatBitsToUint(high.w) & 2u) != 0u;
    uint cell = cell_index(cell_of(0.5 * (low + high.xyz), params.origin, params.per_unit,
                                   params.cells), params.cells);
    keys.values[i] = is_there ? (is_large ? all : cell) : all + 1u;
}
