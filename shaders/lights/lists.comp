#version 460
// Masks as lists of numbers, in ascending order, of at most `room` each. Counts are of all lights,
// those that found no room too.

layout(local_size_x = 256) in;

#include "invocation.glsl"

readonly buffer Masks { uint values[]; } masks;
readonly buffer Summaries { uint values[]; } summaries;
writeonly buffer Lists { uint values[]; } lists;
writeonly buffer Counts { uint values[]; } counts;
buffer Status { uint bad; uint overflowed; uint most; } status;

uniform Params {
    uint lists;
    uint words; // of a mask
    uint summary_words;
    uint room;
} params;

shared uint sums[256];

uint mask_word(uint list, uint w) {
    uint summary = summaries.values[list * params.summary_words + w / 32u];
    return (summary >> (w % 32u) & 1u) != 0u ? masks.values[list * params.words + w] : 0u;
}

void main() {
    uint list = group_index();
    uint lane = gl_LocalInvocationID.x;
    bool exists = list < params.lists;
    uint run = (params.words + 255u) / 256u;
    uint first = min(lane * run, params.words);
    uint end = exists ? min(first + run, params.words) : first;
    uint own = 0u;
    for (uint w = first; w < end; ++w)
        own += uint(bitCount(mask_word(list, w)));
    sums[lane] = own;
    barrier();
    for (uint reach = 1u; reach < 256u; reach <<= 1u) {
        uint before = lane >= reach ? sums[lane - reach] : 0u;
        barrier();
        sums[lane] += before;
        barrier();
    }
    uint place = sums[lane] - own;
    for (uint w = first; w < end; ++w) {
        uint left = mask_word(list, w);
        for (; left != 0u; left &= left - 1u, ++place)
            if (place < params.room)
                lists.values[list * params.room + place] = 32u * w + uint(findLSB(left));
    }
    if (lane == 255u && exists) {
        counts.values[list] = sums[255];
        atomicMax(status.most, sums[255]);
        if (sums[255] > params.room) atomicAdd(status.overflowed, 1u);
    }
}
