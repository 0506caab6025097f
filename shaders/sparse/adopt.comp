#version 460
// Claims the bricks of an earlier execution, with the slots that they have. WEIGHTS: with what
// they weighed.
//! variants WEIGHTS=0,1

layout(local_size_x = 256) in;
layout(constant_id = 1) const uint kPart = 0u; // 1: of this execution, and only those in a box

#include "invocation.glsl"
#if WEIGHTS
#include "sparse/claim_weights.glsl"
#else
#include "sparse/claim.glsl"
#endif

uniform Params {
    uint capacity;
    uint faded; // what they weigh less now
    uvec3 low;  // bricks
    uvec3 high; // excluded
} params;

readonly buffer Previous {
    uint count;
    uint unused[3];
    uvec2 entries[];
} previous;
#if WEIGHTS
readonly buffer PreviousWeights { uint words[]; } previous_weights; // by place in the list
#endif
writeonly buffer Owners { uint numbers[]; } owners; // by slot

void main() {
    uint i = invocation_index();
    if (i >= min(previous.count, previous.entries.length())) return;
    uvec2 entry = previous.entries[i];
    uvec3 brick = uvec3(brick_at(entry.x));
    if (kPart != 0u && (any(lessThan(brick, params.low)) || any(greaterThanEqual(brick, params.high))))
        return;
    uint slot = is_active(entry.y) ? slot_of(entry.y) : kPendingBrick;
#if WEIGHTS
    uint weight = previous_weights.words[i];
    claim_weighed(entry.x, slot, weight - min(weight, params.faded));
#else
    claim_brick(entry.x, kPart != 0u ? entry.y : slot); // what is new stays new
#endif
    if (slot < params.capacity) owners.numbers[slot] = entry.x;
}
