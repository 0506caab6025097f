#version 460
// How far the middles of active bricks are from the eye, to sort them by. Boxes of one grid hide each
// other in this order, for each is what is nearest to its middle.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "sparse/bricks.glsl"

uniform Params { vec3 eye; } params; // cells

readonly buffer BrickList {
    uint count;
    uint unused[3];
    uvec2 entries[];
} brick_list;
writeonly buffer Keys { uint words[]; } keys; // floats, none negative
writeonly buffer Order { uvec2 entries[]; } order;

void main() {
    uint i = invocation_index();
    if (i >= brick_list.count) return;
    uvec2 entry = brick_list.entries[i];
    vec3 off = vec3(brick_at(entry.x) * kBrick) + 0.5 * vec3(kBrick) - params.eye;
    keys.words[i] = floatBitsToUint(dot(off, off));
    order.entries[i] = entry;
}
