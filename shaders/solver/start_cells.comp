#version 460
// Where a solution with solid and fixed cells starts: at the guess, and at 0 in solid cells.
layout(local_size_x = 256) in;

uniform Params {
    int count;
    uint has_guess;
} params;

readonly buffer Cells { uint kinds[]; } cells;
readonly buffer Guess { float values[]; } guess;
writeonly buffer Result { float values[]; } result;

#include "invocation.glsl"

void main() {
    int i = int(invocation_index());
    if (i >= params.count) return;
    bool holds_guess = params.has_guess != 0u && cells.kinds[i] != 1u;
    result.values[i] = holds_guess ? guess.values[i] : 0.0;
}
