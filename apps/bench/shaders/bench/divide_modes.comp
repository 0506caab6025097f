#version 460
// Divides each mode of a transform by its eigenvalue of -laplace; that of 0 becomes 0.
layout(local_size_x = 256) in;

readonly buffer Eigenvalues { float values[]; } eigenvalues; // of the modes of x, then of y, of z
buffer Modes { float values[]; } modes;

uniform Params {
    int count;  // of numbers
    int parts;  // numbers a mode: 2 where they are complex
    uvec3 size; // modes along each axis
} params;

void main() {
    uint stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    for (uint i = gl_GlobalInvocationID.x; i < uint(params.count); i += stride) {
        uint mode = i / uint(params.parts);
        uint y = mode / params.size.x;
        uint z = y / params.size.y;
        float value = eigenvalues.values[mode - y * params.size.x] +
                      eigenvalues.values[params.size.x + y - z * params.size.y] +
                      eigenvalues.values[params.size.x + params.size.y + z];
        modes.values[i] = value > 0.0 ? modes.values[i] / value : 0.0;
    }
}
