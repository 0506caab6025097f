#version 460
// Gathers the elements that are kept: output j looks for the element with j kept ones before it, by
// steps in the right direction that are halved each time.

layout(local_size_x = 256) in;

uniform Params {
    uint most; // elements
} params;
#include "invocation.glsl"
#include "length.glsl"

readonly buffer Source { uint words[]; } source;
readonly buffer Flags { uint words[]; } flags;
readonly buffer Nulls { uint words[]; } nulls; // not kept, up to and with each element
writeonly buffer Result { uint words[]; } result;
writeonly buffer Kept { uint number; } kept;

// 1: as the chapter prints it, halves are rounded down, and the steps end too soon
layout(constant_id = 8) const uint floored = 0u;

// Elements kept before `i` if it is kept itself; does not decrease with i, and is -1 for those
// before the first that is kept.
int kept_before(uint i) {
    return int(i) - int(nulls.words[i]);
}

void main() {
    uint end = element_count(params.most);
    uint j = invocation_index();
    uint all_nulls = end == 0u ? 0u : nulls.words[end - 1u];
    if (j == 0u) kept.number = end - all_nulls;
    if (j >= end - all_nulls) return;

    // The place is from j to j + all_nulls. It is never farther away than one step: rounded up,
    // half a step is enough to make that true again.
    uint step_size = (all_nulls + 1u) / 2u;
    uint place = j + step_size;
    for (uint i = 0u; i < 34u; ++i) {
        bool before = place < end && kept_before(place) < int(j);
        if (!before && place < end && kept_before(place) == int(j) && flags.words[place] != 0u) break;
        step_size = floored != 0u ? step_size / 2u : max((step_size + 1u) / 2u, 1u);
        place = before ? place + step_size : place - min(step_size, place);
    }
    result.words[j] = source.words[min(place, end - 1u)];
}
