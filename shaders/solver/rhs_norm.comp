#version 460
// What there is to solve, a part of it for each group: sums of the right-hand side and its squares
// over the unknown cells, how many these are, and the greatest magnitude; and how many numbers are
// not finite, and cells fixed. CELLS: there are solid or fixed cells.
//! variants CELLS=0,1

layout(local_size_x = 256) in;

uniform Params {
    int count;      // cells
    uint has_guess;
} params;

readonly buffer Rhs { float values[]; } rhs;
readonly buffer Guess { float values[]; } guess;
#if CELLS
readonly buffer Cells { uint kinds[]; } cells;
#endif
writeonly buffer PartialSums { vec4 values[]; } partial_sums; // two a group

#include "solver/group_sum.glsl"

const int kAhead = 8; // numbers on their way from memory

bool is_finite(float value) {
    return (floatBitsToUint(value) & 0x7f800000u) != 0x7f800000u;
}

void main() {
    int stride = int(gl_NumWorkGroups.x * gl_WorkGroupSize.x);
    vec4 sums = vec4(0.0);   // of the rhs, of its squares, unknown cells; greatest magnitude
    vec4 counts = vec4(0.0); // not finite, fixed
    for (int first = int(gl_GlobalInvocationID.x); first < params.count; first += kAhead * stride) {
        float ahead[kAhead];
        for (int k = 0; k < kAhead; ++k)
            ahead[k] = rhs.values[min(first + k * stride, params.count - 1)];
        for (int k = 0; k < kAhead; ++k) {
            int i = first + k * stride;
            if (i >= params.count) break;
            uint kind = 0u;
#if CELLS
            kind = min(cells.kinds[i], 2u);
#endif
            bool needs_guess = params.has_guess != 0u && kind != 1u;
            if (needs_guess && !is_finite(guess.values[i])) counts.x += 1.0;
            if (kind == 2u) counts.y += 1.0;
            if (kind != 0u) continue;
            float f = ahead[k];
            sums.z += 1.0;
            if (is_finite(f))
                sums = vec4(sums.x + f, sums.y + f * f, sums.z, max(sums.w, abs(f)));
            else
                counts.x += 1.0;
        }
    }
    vec4 all_sums = group_sum(sums);
    vec4 all_counts = group_sum(counts);
    if (gl_LocalInvocationIndex != 0u) return;
    partial_sums.values[2u * gl_WorkGroupID.x] = all_sums;
    partial_sums.values[2u * gl_WorkGroupID.x + 1u] = all_counts;
}
