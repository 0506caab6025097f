#version 460
// Whether a step is the last of an execution.

layout(local_size_x = 1) in;

#include "clock.glsl"

readonly buffer Clock { ClockWords elements[]; } clock_words;
writeonly buffer Done { uint words[]; } done;

uniform Params {
    uint step;
} params;

void main() {
    done.words[0] = params.step + 1u >= clock_words.elements[0].steps ? 1u : 0u;
}
