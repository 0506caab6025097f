#version 460
// Goes on with the tree of the execution before, or begins again with quarters of squares.

layout(local_size_x = 256) in;

#include "invocation.glsl"

uniform Params {
    uint words;
    uint reset;
} params;

readonly buffer Before { uint words[]; } before;
writeonly buffer Bits { uint words[]; } bits;

void main() {
    uint i = invocation_index();
    if (i < params.words) bits.words[i] = params.reset != 0u ? 0u : before.words[i];
}
