#version 460
layout(local_size_x = 64) in;

buffer Values { uint values[]; } target;

void main() {
    const uint i = gl_GlobalInvocationID.x;
    if (i < target.values.length()) target.values[i] *= 2u;
}
