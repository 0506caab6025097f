#version 460
// Claims the bricks of an earlier execution, with the slots that they have. WEIGHTS: with what
// they weighed.
//! variants WEIGHTS=0,1

layout(local_size_x = 256) in;

#include "invocation.glsl"
#if WEIGHTS
#include "sparse/claim_weights.glsl"
#else
#include "sparse/claim.glsl"
#endif

uniform Params {
    uint capacity;
    uint faded; // what they weigh less now
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
    uint slot = is_active(entry.y) ? slot_of(entry.y) : kPendingBrick;
#if WEIGHTS
    uint weight = previous_weights.words[i];
    claim_weighed(entry.x, slot, weight - min(weight, params.faded));
#else
    claim_brick(entry.x, slot);
#endif
    if (slot < params.capacity) owners.numbers[slot] = entry.x;
}
