#version 460
// Writes the tiles that each triangle meets, triangle by triangle.

layout(local_size_x = 128) in;

#include "params.glsl"

readonly buffer Offsets { uint words[]; } offsets; // where those of a triangle begin
writeonly buffer TileList { uint words[]; } tile_list;
writeonly buffer Triangles { uint words[]; } triangles;

shared uint next[128]; // of the triangles of the group

void begin_triangle(uint triangle) {
    next[triangle % 128u] = offsets.words[triangle];
}

void take_tile(uint triangle, uint tile) {
    uint at = atomicAdd(next[triangle % 128u], 1u);
    if (at >= params.capacity) return;
    tile_list.words[at] = tile;
    triangles.words[at] = triangle;
}

void end_triangle(uint triangle) {}

#include "tiles.glsl"

void main() {
    take_tiles();
}
