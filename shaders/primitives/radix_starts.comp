#version 460
// Turns the counts of digits into where each digit begins in the result, a group for each pass.
#define KEY_WORDS 1
#include "radix_shape.glsl"

buffer Starts { uint words[]; } starts;

void main() {
    uint digit = own_index();
    uint at = gl_WorkGroupID.x * kBins + digit;
    uint start = exclusive_scan(digit < kBins ? starts.words[at] : 0u);
    if (digit < kBins) starts.words[at] = start;
}
