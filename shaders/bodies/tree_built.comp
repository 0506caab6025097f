#version 460
// Where the boxes are over which a tree is built.

layout(local_size_x = 256) in;

#include "invocation.glsl"

readonly buffer Boxes { vec4 values[]; } boxes;
writeonly buffer Built { vec4 values[]; } built;
writeonly buffer Done { uint word; } done;

uniform Params {
    uint count;
} params;

void main() {
    uint i = invocation_index();
    if (i == 0u) done.word = 1u;
    if (i >= params.count) return;
    vec4 high = boxes.values[2u * i + 1u];
    bool is_there = (floatBitsToUint(high.w) & 2u) != 0u;
    built.values[i] = vec4(0.5 * (boxes.values[2u * i].xyz + high.xyz), is_there ? 1.0 : 0.0);
}
