#version 460
// Among how many constraints a body's mass is split.

layout(local_size_x = 256) in;

#include "invocation.glsl"

readonly buffer Offsets { uvec2 values[]; } offsets;
writeonly buffer Shares { uint values[]; } shares;

uniform Params {
    uint count;
} params;

void main() {
    uint i = invocation_index();
    if (i >= params.count) return;
    shares.values[i] = max(offsets.values[i].y - offsets.values[i].x, 1u);
}
