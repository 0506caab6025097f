#version 460
// Goes on with the tree of the execution before, or begins again with quarters of squares.

layout(local_size_x = 256) in;

#include "invocation.glsl"

uniform Params {
    uint words;
    uint reset; // another one than before begins again
} params;

readonly buffer Before { uint words[]; } before;
readonly buffer MarkBefore { uint word; } mark_before;
writeonly buffer Bits { uint words[]; } bits;
writeonly buffer Mark { uint word; } mark;

void main() {
    uint i = invocation_index();
    bool begins = params.reset != mark_before.word;
    if (i < params.words) bits.words[i] = begins ? 0u : before.words[i];
    if (i == 0u) mark.word = params.reset;
}
