#version 460
// The sum over each of many boxes, looked up in a summed-area table.
layout(local_size_x = 256) in;

#include "../../../../shaders/image/summed_area.glsl"
#include "../../../../shaders/include/invocation.glsl"

uniform sampler2D sums;
uniform usampler2D whole_sums;
readonly buffer Mean { vec4 value; } mean;
readonly buffer Boxes { ivec4 list[]; } boxes; // low and high corner
writeonly buffer Result { uvec4 list[]; } result; // bits of floats, or whole numbers

uniform Params {
    uint count;
    ivec2 origin;
    uint whole; // numbers are summed
} params;

void main() {
    uint i = invocation_index();
    if (i >= params.count) return;
    ivec2 low = boxes.list[i].xy;
    ivec2 high = boxes.list[i].zw;
    ivec2 size = high - low;
    vec4 sum = box_sum(sums, low, high, params.origin) + mean.value * float(size.x * size.y);
    uvec4 whole = box_sum(whole_sums, low, high, params.origin);
    result.list[i] = params.whole != 0u ? whole : floatBitsToUint(sum);
}
