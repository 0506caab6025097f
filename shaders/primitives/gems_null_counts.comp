#version 460
// One for each element that is not kept, zero for the others.

layout(local_size_x = 256) in;

uniform Params {
    uint most; // elements
} params;
#include "invocation.glsl"
#include "length.glsl"

readonly buffer Flags { uint words[]; } flags;
writeonly buffer Counts { uint words[]; } counts;

void main() {
    uint i = invocation_index();
    if (i < element_count(params.most)) counts.words[i] = flags.words[i] == 0u ? 1u : 0u;
}
