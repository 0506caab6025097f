#version 460
// The frame of a slab: that of its grid, and its first slice.

layout(local_size_x = 1) in;

uniform Params {
    uint first;
} params;

readonly buffer Grid { vec4 rows[]; } grid;
writeonly buffer Frame { vec4 rows[]; } frame;

void main() {
    frame.rows[0] = vec4(grid.rows[0].xyz, float(params.first));
    frame.rows[1] = grid.rows[1];
    frame.rows[2] = grid.rows[2];
}
