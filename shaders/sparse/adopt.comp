#version 460
// Claims the bricks of an earlier execution, with the slots that they have; nothing else has been
// claimed. WEIGHTS: with what they weighed.
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
    uint pending;
    uint unused[2];
    uvec2 entries[];
} previous;
#if WEIGHTS
readonly buffer PreviousWeights { uint words[]; } previous_weights; // by place in the list
#endif
writeonly buffer Owners { uint numbers[]; } owners; // by slot

void main() {
    uint i = invocation_index();
    uint count = min(previous.count, previous.entries.length());
    if (kPart == 0u && i == 0u) {
        claim_list.count = min(count, claim_list.entries.length());
        claim_list.pending = previous.pending;
    }
    if (i >= count) return;
    uvec2 entry = previous.entries[i];
    uvec3 brick = uvec3(brick_at(entry.x));
    if (kPart != 0u && (any(lessThan(brick, params.low)) || any(greaterThanEqual(brick, params.high))))
        return;
    uint slot = is_active(entry.y) ? slot_of(entry.y) : kPendingBrick;
    if (slot < params.capacity) owners.numbers[slot] = entry.x;
    if (kPart != 0u) {
        claim_brick(entry.x, entry.y); // what is new stays new
        return;
    }
    // A brick is listed once, so it keeps its place in the list.
    uint place = enter_claim(entry.x, slot).place;
    if (i < claim_list.entries.length()) claim_list.entries[i] = uvec2(entry.x, slot);
#if WEIGHTS
    uint weight = previous_weights.words[i];
    if (place != kNoBrick) claim_weights.words[place] = weight - min(weight, params.faded);
#endif
}
