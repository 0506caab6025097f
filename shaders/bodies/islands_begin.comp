#version 460
// Each body is an island, which sleeps.

layout(local_size_x = 256) in;

#include "invocation.glsl"

writeonly buffer Roots { uint values[]; } roots;
writeonly buffer Awake { uint values[]; } awake;

uniform Params {
    uint count;
} params;

void main() {
    uint i = invocation_index();
    if (i >= params.count) return;
    roots.values[i] = i;
    awake.values[i] = 0u;
}
