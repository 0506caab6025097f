// What hair/clock says of the steps of an execution: a header and the head's place before and after
// each step. C++: `HairClock` of passes/hair/clock.hpp.
#ifndef HAIR_CLOCK
#define HAIR_CLOCK

#include "turn.glsl"

const uint kClockHeader = 6u; // vec4s

readonly buffer Clock { vec4 values[]; } clock_words;

uint clock_steps() {
    return uint(clock_words.values[0].x);
}
bool clock_resets() {
    return clock_words.values[0].y != 0.0;
}
// How far the picture's time is from the state before the last step to that after it.
float clock_share() {
    return clock_words.values[0].z;
}

Place head_at(uint step) {
    uint at = kClockHeader + 2u * step;
    return Place(clock_words.values[at], clock_words.values[at + 1u].xyz);
}
// Where the picture shows it.
Place head_now() {
    return Place(clock_words.values[1], clock_words.values[2].xyz);
}
// And before the last step that ran, in this execution or an earlier one.
Place head_before_last() {
    return Place(clock_words.values[4], clock_words.values[5].xyz);
}

#endif
