#version 460
// Counts the tiles that each triangle meets.

layout(local_size_x = 128) in;

writeonly buffer Counts { uint words[]; } counts; // one for each triangle

shared uint taken[128]; // by the triangles of the group

void begin_triangle(uint triangle) {
    taken[triangle % 128u] = 0u;
}

void take_tile(uint triangle, uint tile) {
    atomicAdd(taken[triangle % 128u], 1u);
}

void end_triangle(uint triangle) {
    counts.words[triangle] = taken[triangle % 128u];
}

#include "tiles.glsl"

void main() {
    take_tiles();
}
