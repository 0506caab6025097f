#version 460
// Fills about a third of the cells.
layout(local_size_x = 8, local_size_y = 8) in;
#include "hash.glsl"

layout(r32ui) writeonly uniform uimage2D cells;

void main() {
    ivec2 cell = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(cells);
    if (any(greaterThanEqual(cell, size))) return;
    float random = random_numbers(uint(cell.x), uint(cell.y), 0u).x;
    imageStore(cells, cell, uvec4(random < 0.33 ? 1u : 0u));
}
