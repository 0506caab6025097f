#version 460
layout(local_size_x = 64) in;

readonly buffer A { uint values[]; } a;
readonly buffer B { uint values[]; } b;
writeonly buffer C { uint values[]; } target;

void main() {
    const uint i = gl_GlobalInvocationID.x;
    if (i < target.values.length()) target.values[i] = a.values[i] + b.values[i];
}
