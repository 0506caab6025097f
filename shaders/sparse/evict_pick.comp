#version 460
// The cut's next digit: as many claims as there are slots are at or above it.

layout(local_size_x = 256) in;
layout(constant_id = 1) const uint kDigit = 7u; // 0 is the lowest

#include "evict.glsl"

shared uint bins[256];

void main() {
    if (search.needed == 0u) return;
    uint lane = gl_LocalInvocationID.x;
    bins[lane] = search.bins[lane];
    search.bins[lane] = 0u;
    barrier();
    if (lane > 0u) return;
    uint above = 0u;
    uint digit = 255u;
    while (digit > 0u && above + bins[digit] < search.needed) {
        above += bins[digit];
        --digit;
    }
    search.needed -= above;
    search.digits = with_digit(search.digits, kDigit, digit);
    if (kDigit == 0u) search.cut = uvec2(search.digits.x, ~search.digits.y);
}
