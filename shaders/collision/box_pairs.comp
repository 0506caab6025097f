#version 460
// Which pairs of boxes meet: a word each.

layout(local_size_x = 64) in;

layout(constant_id = 0) const uint kListed = 0u; // 0: box i of both arrays makes pair i

#include "box.glsl"
#include "invocation.glsl"

uniform Params {
    uint count; // of pairs
    uint boxes_a;
    uint boxes_b;
    float slack;
} params;

readonly buffer BoxesA { OrientedBox elements[]; } boxes_a;
readonly buffer BoxesB { OrientedBox elements[]; } boxes_b;
readonly buffer Pairs { uvec2 values[]; } pairs;
writeonly buffer Meet { uint values[]; } meet;

void main() {
    uint i = invocation_index();
    if (i >= params.count) return;
    uvec2 pair = kListed != 0u ? pairs.values[i] : uvec2(i);
    bool exist = pair.x < params.boxes_a && pair.y < params.boxes_b;
    meet.values[i] =
        exist && boxes_meet(box_of(boxes_a.elements[pair.x]), box_of(boxes_b.elements[pair.y]), params.slack)
            ? 1u
            : 0u;
}
