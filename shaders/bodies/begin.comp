#version 460
// An array of the state as the execution before left it; at first, and when asked to begin again, as
// it is in the initial state; zeros where that has nothing.

layout(local_size_x = 256) in;

#include "invocation.glsl"

layout(constant_id = 0) const uint has_before = 0u;
layout(constant_id = 1) const uint has_initial = 0u;

readonly buffer Before { uint words[]; } before;
readonly buffer BeforeAge { uint executions; } before_age;
readonly buffer Initial { uint words[]; } initial;
writeonly buffer Result { uint words[]; } result;

uniform Params {
    uint words;
    uint initial_words;
    uint reset; // not 0: begin again
} params;

uint initial_word(uint i) {
    if (has_initial != 0u && i < params.initial_words) return initial.words[i];
    return 0u;
}

void main() {
    uint i = invocation_index();
    if (i >= params.words) return;
    bool goes_on = has_before != 0u && params.reset == 0u && before_age.executions != 0u;
    result.words[i] = goes_on ? before.words[i] : initial_word(i);
}
