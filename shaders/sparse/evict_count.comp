#version 460
// Counts claims by a digit of their key, of those whose higher digits are the cut's.

layout(local_size_x = 256) in;
layout(constant_id = 1) const uint kDigit = 7u; // 0 is the lowest

#include "invocation.glsl"
#include "evict.glsl"
#include "weights.glsl"

readonly buffer ClaimList {
    uint count;
    uint unused[3];
    uvec2 entries[]; // number and slot word
} claim_list;

shared uint bins[256];

void main() {
    uint lane = gl_LocalInvocationID.x;
    bins[lane] = 0u;
    barrier();
    uint i = invocation_index();
    if (i < min(claim_list.count, claim_list.entries.length())) {
        uint number = claim_list.entries[i].x;
        uvec2 key = key_of(number, weight_of(number));
        if (has_digits_above(key, search.digits, kDigit)) atomicAdd(bins[digit_of(key, kDigit)], 1u);
    }
    barrier();
    if (bins[lane] > 0u) atomicAdd(search.bins[lane], bins[lane]);
}
