#version 460
// What listed bricks weigh, for the next execution.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "weights.glsl"

readonly buffer BrickList {
    uint count;
    uint unused[3];
    uvec2 entries[]; // number and slot word
} brick_list;
writeonly buffer Kept { uint words[]; } kept; // by place in the list

void main() {
    uint i = invocation_index();
    if (i < min(brick_list.count, min(brick_list.entries.length(), kept.words.length())))
        kept.words[i] = weight_of(brick_list.entries[i].x);
}
