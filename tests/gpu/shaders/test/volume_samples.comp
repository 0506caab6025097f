#version 460
// Samples a volume at given coordinates in [0, 1].
layout(local_size_x = 64) in;

uniform sampler3D volume;
readonly buffer Places {
    vec4 values[]; // w: level
} places;
writeonly buffer Samples {
    vec4 values[];
} samples;

void main() {
    const uint i = gl_GlobalInvocationID.x;
    if (i >= places.values.length()) return;
    samples.values[i] = textureLod(volume, places.values[i].xyz, places.values[i].w);
}
