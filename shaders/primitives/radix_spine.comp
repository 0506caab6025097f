#version 460
// Turns the counts of a digit into sums over the chunks before: a group for each digit, or where
// there are few chunks, an invocation.
#define KEY_WORDS 1
#include "radix_shape.glsl"

layout(constant_id = 14) const uint few_chunks = 0u;

buffer Offsets { uint words[]; } offsets;
writeonly buffer Totals { uint words[]; } totals;

shared uint round_total;

void sum_alone(uint digit) {
    if (digit >= kBins) return;
    uint row = digit * params.chunks;
    uint sum = 0u;
    for (uint chunk = 0u; chunk < params.chunks; ++chunk) {
        uint count = offsets.words[row + chunk];
        offsets.words[row + chunk] = sum;
        sum += count;
    }
    totals.words[digit] = sum;
}

void main() {
    uint index = own_index();
    if (few_chunks != 0u) {
        sum_alone(index);
        return;
    }
    uint row = gl_WorkGroupID.x * params.chunks;
    uint sum = 0u;
    for (uint first = 0u; first < params.chunks; first += kGroupSize) {
        uint chunk = first + index;
        uint count = chunk < params.chunks ? offsets.words[row + chunk] : 0u;
        uint before = exclusive_scan(count);
        if (chunk < params.chunks) offsets.words[row + chunk] = sum + before;
        if (index == kGroupSize - 1u) round_total = before + count;
        barrier();
        sum += round_total;
        barrier(); // before the sums are written anew
    }
    if (index == 0u) totals.words[gl_WorkGroupID.x] = sum;
}
