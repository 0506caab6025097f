#version 460
// The cell of each particle: what they are sorted by.

layout(local_size_x = 256) in;

#include "cells.glsl"
#include "count.glsl"
#include "finite.glsl"
#include "invocation.glsl"

readonly buffer Positions { vec4 values[]; } positions;
readonly buffer Velocities { vec4 values[]; } velocities;
writeonly buffer Keys { uint values[]; } keys;

uniform Params {
    uint count;
    vec3 origin;
    float cells_per_unit;
    uvec3 cells;
} params;

void main() {
    uint i = invocation_index();
    if (i >= particle_count(params.count)) return;
    vec3 position = positions.values[i].xyz;
    // Those that take no part come after the last cell, where nobody looks for neighbours.
    uvec3 cell = cell_of(position, params.origin, params.cells_per_unit, params.cells);
    keys.values[i] = is_alive(position, velocities.values[i].xyz) ? cell_index(cell, params.cells)
                                                                  : cell_count(params.cells);
}
