#version 460
// Claims the bricks of an earlier execution, with the slots that they have.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "sparse/claim.glsl"

uniform Params { uint capacity; } params;

readonly buffer Previous {
    uint count;
    uint unused[3];
    uvec2 entries[];
} previous;
writeonly buffer Owners { uint numbers[]; } owners; // by slot

void main() {
    uint i = invocation_index();
    if (i >= min(previous.count, previous.entries.length())) return;
    uvec2 entry = previous.entries[i];
    uint slot = is_active(entry.y) ? slot_of(entry.y) : kPendingBrick;
    claim_brick(entry.x, slot);
    if (slot < params.capacity) owners.numbers[slot] = entry.x;
}
