#version 460
// Samples a cube along given directions.
layout(local_size_x = 64) in;

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
    samples.values[i] = textureLod(cube, directions.values[i].xyz, directions.values[i].w);
}
