#version 460
// One for each element that is not kept, zero for the others.

layout(local_size_x = 256) in;

uniform Params {
    uint most; // elements
} params;
#include "length.glsl"

readonly buffer Flags { uint words[]; } flags;
writeonly buffer Counts { uint words[]; } counts;

void main() {
    uint i = group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (i < element_count()) counts.words[i] = flags.words[i] == 0u ? 1u : 0u;
}
