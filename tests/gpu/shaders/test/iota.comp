#version 460
layout(local_size_x = 64) in;

uniform Params { uint base; uint count; } params;
writeonly buffer Values { uint values[]; } target;

void main() {
    const uint i = gl_GlobalInvocationID.x;
    if (i < params.count) target.values[i] = params.base + i;
}
