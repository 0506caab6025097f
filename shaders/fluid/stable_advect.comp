#version 460
// Velocities on faces in two dimensions, carried along.

layout(local_size_x = 32, local_size_y = 8) in;

#include "stable_advect.glsl"

void main() {
    ivec3 invocation = ivec3(gl_GlobalInvocationID);
    if (!is_taken(invocation, ivec3(1))) return;
    ivec3 cell = cell_taken(invocation, ivec3(1));
    store(cell, carried(cell));
}
