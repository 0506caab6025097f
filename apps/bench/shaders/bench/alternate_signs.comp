#version 460
// Every other cell with the opposite sign. It makes the sines of walls at which the solution is 0
// from cosines: sin(pi (i + 1/2) (k + 1) / n) = (-1)^i cos(pi (i + 1/2) (n - 1 - k) / n).
layout(local_size_x = 256) in;

readonly buffer Source { float values[]; } source;
writeonly buffer Result { float values[]; } result;

uniform Params {
    int count;
    uvec3 size;
} params;

void main() {
    uint stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    for (uint i = gl_GlobalInvocationID.x; i < uint(params.count); i += stride) {
        uint y = i / params.size.x;
        uint z = y / params.size.y;
        uint steps = i - y * params.size.x + y - z * params.size.y + z;
        result.values[i] = (steps & 1u) == 0u ? source.values[i] : -source.values[i];
    }
}
