#version 460
// Copies what a field has in the bricks of a list into a buffer, a brick a place.
layout(local_size_x = 64) in;
layout(constant_id = 1) const uint kWords = 1u; // of a brick

#include "border_places.glsl"
#include "invocation.glsl"

uniform Params {
    uint places; // of all blocks
    uint peers;
} params;

readonly buffer Field { uint words[]; } field;
writeonly buffer Packed { uint words[]; } packed;

void main() {
    uint index = invocation_index();
    if (index >= kWords * params.places) return;
    uint number = listed_brick(index / kWords, params.peers);
    if (number == kNoBrick) return;
    uint word = find_brick(number);
    packed.words[index] =
        is_active(word) ? field.words[kWords * slot_of(word) + index % kWords] : 0u;
}
