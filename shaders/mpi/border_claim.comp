#version 460
// Claims the bricks of lists that other ranks have sent, with the slots that they have here.
// OWNERS: and enters these slots as taken.
//! variants OWNERS=0,1
layout(local_size_x = 64) in;

#include "border_places.glsl"
#include "invocation.glsl"
#include "sparse/claim.glsl"

uniform Params {
    uint places; // of all blocks
    uint peers;
} params;

#if OWNERS
writeonly buffer Owners { uint numbers[]; } owners; // by slot
#endif

void main() {
    uint place = invocation_index();
    if (place >= params.places) return;
    uint number = listed_brick(place, params.peers);
    if (number == kNoBrick) return;
    uint word = find_brick(number);
#if OWNERS
    claim_brick(number, is_active(word) ? word : kLaterBrick);
    if (is_active(word)) owners.numbers[slot_of(word)] = number;
#else
    claim_brick(number, is_active(word) ? word : kPendingBrick);
#endif
}
