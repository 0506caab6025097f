#version 460
// The sum of up to eight arrays, by pairs.

layout(local_size_x = 256) in;
#include "invocation.glsl"

layout(constant_id = 1) const uint has_part1 = 0u;
layout(constant_id = 2) const uint has_part2 = 0u;
layout(constant_id = 3) const uint has_part3 = 0u;
layout(constant_id = 4) const uint has_part4 = 0u;
layout(constant_id = 5) const uint has_part5 = 0u;
layout(constant_id = 6) const uint has_part6 = 0u;
layout(constant_id = 7) const uint has_part7 = 0u;

readonly buffer Part0 { float values[]; } part0;
readonly buffer Part1 { float values[]; } part1;
readonly buffer Part2 { float values[]; } part2;
readonly buffer Part3 { float values[]; } part3;
readonly buffer Part4 { float values[]; } part4;
readonly buffer Part5 { float values[]; } part5;
readonly buffer Part6 { float values[]; } part6;
readonly buffer Part7 { float values[]; } part7;
writeonly buffer Result { float values[]; } result;

uniform Params {
    uint count;
} params;

void main() {
    uint i = invocation_index();
    if (i >= params.count) return;
    vec4 low = vec4(part0.values[i], 0.0, 0.0, 0.0);
    vec4 high = vec4(0.0);
    if (has_part1 != 0u) low.y = part1.values[i];
    if (has_part2 != 0u) low.z = part2.values[i];
    if (has_part3 != 0u) low.w = part3.values[i];
    if (has_part4 != 0u) high.x = part4.values[i];
    if (has_part5 != 0u) high.y = part5.values[i];
    if (has_part6 != 0u) high.z = part6.values[i];
    if (has_part7 != 0u) high.w = part7.values[i];
    vec2 pairs = vec2(low.x + low.y, low.z + low.w);
    vec2 high_pairs = vec2(high.x + high.y, high.z + high.w);
    result.values[i] = (pairs.x + pairs.y) + (high_pairs.x + high_pairs.y);
}
