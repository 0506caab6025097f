#version 460
// What comes of boxes that are stored in whole steps of boxes around them.

layout(local_size_x = 64) in;

#include "../../../../shaders/displacement/patch.glsl"
#include "../../../../shaders/include/invocation.glsl"

readonly buffer Boxes { vec4 values[]; } boxes; // four a box: corners of the outer one, then of the inner
writeonly buffer Result { vec4 values[]; } result; // two

uniform Params {
    uint count;
} params;

void main() {
    uint i = invocation_index();
    if (i >= params.count) return;
    Steps steps = steps_of(PatchBox(boxes.values[4u * i].xyz, boxes.values[4u * i + 1u].xyz));
    uvec3 low = steps_below(steps, boxes.values[4u * i + 2u].xyz);
    uvec3 high = steps_above(steps, boxes.values[4u * i + 3u].xyz);
    // As many bits as a node has room for.
    uint mask = bytes != 0u ? 0xffu : 0xffffu;
    result.values[2u * i] = vec4(place_of_step(steps, low & mask), 0.0);
    result.values[2u * i + 1u] = vec4(place_of_step(steps, high & mask), 0.0);
}
