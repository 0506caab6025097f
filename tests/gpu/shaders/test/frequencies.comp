#version 460
// What mpi/spectrum.glsl says of each number of a rank's part of a spectrum.
layout(local_size_x = 64) in;

#include "../../../../shaders/include/mpi/spectrum.glsl"

readonly buffer Box { SpectrumBox value; } box;
writeonly buffer Frequencies { ivec4 list[]; } frequencies; // w: whether there is a number

uniform Params {
    uint count;
} params;

void main() {
    uint index = gl_GlobalInvocationID.x;
    if (index >= params.count) return;
    frequencies.list[index] = is_in_spectrum(box.value, index)
                                  ? ivec4(frequency_in(box.value, index), 1)
                                  : ivec4(0);
}
