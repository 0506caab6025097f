#version 460
// Looks up a cube along given directions, as devices without seamless cubes do.
layout(local_size_x = 64) in;

#include "../../../../shaders/include/scene/environment.glsl"

uniform samplerCube cube;
readonly buffer Directions {
    vec4 values[]; // w: level
} directions;
writeonly buffer Samples {
    vec4 values[];
} samples;

void main() {
    const uint i = gl_GlobalInvocationID.x;
    if (i >= directions.values.length()) return;
    const vec3 color = cube_radiance(cube, directions.values[i].xyz, directions.values[i].w);
    samples.values[i] = vec4(color, 1.0);
}
