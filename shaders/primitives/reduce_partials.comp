#version 460
// Joins what the groups of reduce_tiles found, and writes the result.
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256) in;

uniform Params {
    vec4 p;          // of the expression
    uint most;       // elements
    uint max_groups; // of reduce_tiles
} params;
#include "length.glsl"

readonly buffer Partials { uvec2 words[]; } partials;
writeonly buffer Result { uint words[]; } result; // the value, or the index and the value
#include "reduce_body.glsl"

void main() {
    uint end = element_count(params.most);
    uint groups = clamp(tiles_of(end, kTile), 1u, params.max_groups);
    Accumulator own = nothing();
    for (uint i = gl_LocalInvocationIndex; i < groups; i += kGroup)
        own = joined(own, Accumulator(partials.words[i].x, partials.words[i].y), params.p);
    own = join_group(own, params.p);
    if (gl_LocalInvocationIndex != 0u) return;

    if (reduction == kIndex) {
        result.words[0] = own.index;
        result.words[1] = decode(own.word);
    } else if (reduction == kMean) {
        // Of no elements NaN, whatever the device makes of 0 / 0.
        float mean = uintBitsToFloat(own.word) / float(max(end, 1u));
        result.words[0] = end == 0u ? 0x7fc00000u : floatBitsToUint(mean);
    } else {
        result.words[0] = decode(own.word);
    }
}
