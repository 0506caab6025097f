#version 460
// Gravity and damping in a part of a step.

#pragma tuff_exact // as in soft_together.comp
layout(local_size_x = 256) in;

#include "invocation.glsl"

readonly buffer Masses { vec4 values[]; } masses;
buffer Motions { vec4 values[]; } motions;

uniform Params {
    uint count;
    vec3 change; // of velocities
    float kept;
} params;

void main() {
    uint i = invocation_index();
    if (i >= params.count || masses.values[2u * i].w == 0.0) return;
    motions.values[2u * i].xyz = (motions.values[2u * i].xyz + params.change) * params.kept;
    motions.values[2u * i + 1u].xyz *= params.kept;
}
