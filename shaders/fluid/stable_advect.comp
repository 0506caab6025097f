#version 460
// Velocities on faces in two dimensions, carried along.

layout(local_size_x = 32, local_size_y = 8) in;

#include "stable_advect.glsl"

void main() {
    ivec3 cell = ivec3(gl_GlobalInvocationID);
    if (all(lessThan(cell, grid.dims))) store(cell, carried(cell));
}
