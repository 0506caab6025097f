#version 460
// A grid's frame from its box.

layout(local_size_x = 1) in;

uniform Params {
    vec3 corner;
    vec3 voxels_per_unit;
    vec3 voxel;
} params;

writeonly buffer Frame { vec4 rows[]; } frame;

void main() {
    frame.rows[0] = vec4(params.corner, 0.0);
    frame.rows[1] = vec4(params.voxels_per_unit, 0.0);
    frame.rows[2] = vec4(params.voxel, 0.0);
}
