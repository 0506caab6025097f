#version 460
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint kOffset = 0u;

layout(push_constant) uniform Push { uint factor; } push;
readonly buffer Source { uint values[]; } source;
writeonly buffer Target { uint values[]; } target;

void main() {
    const uint i = gl_GlobalInvocationID.x;
    if (i < target.values.length()) target.values[i] = source.values[i] * push.factor + kOffset;
}
