#version 460
// The mean of exp(-t) over t from 0 to each number.

layout(local_size_x = 64) in;

#include "../../../../shaders/volume/phi.glsl"

readonly buffer Source { float values[]; } source;
writeonly buffer Result { float values[]; } result;

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= uint(source.values.length())) return;
    vec3 x = vec3(source.values[i]);
    result.values[i] = mean_fade(x, exp(-x)).x;
}
