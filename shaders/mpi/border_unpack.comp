#version 460
// The other way round from mpi/border_pack: fills the bricks of a list in a field.
layout(local_size_x = 64) in;
layout(constant_id = 1) const uint kWords = 1u; // of a brick

#include "border_places.glsl"
#include "invocation.glsl"

uniform Params {
    uint places; // of all blocks
    uint peers;
} params;

readonly buffer Packed { uint words[]; } packed;
writeonly buffer Field { uint words[]; } field;

void main() {
    uint index = invocation_index();
    if (index >= kWords * params.places) return;
    uint number = listed_brick(index / kWords, params.peers);
    if (number == kNoBrick) return;
    uint word = find_brick(number);
    if (is_active(word)) field.words[kWords * slot_of(word) + index % kWords] = packed.words[index];
}
