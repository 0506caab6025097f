#version 460
// y <- alpha * x + y, `steps` times. Four quads an invocation.
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256) in;

uniform Params {
    uint most; // elements
    float alpha;
    uint steps;
} params;

#include "invocation.glsl"
#include "length.glsl"
#include "tile.glsl"

readonly buffer X { vec4 values[]; } x;
readonly buffer Y { vec4 values[]; } y;
writeonly buffer Result { vec4 values[]; } result;

void main() {
    uint quads = tiles_of(element_count(params.most), 4u);
    uint first = group_index() * kGroup * kQuads + gl_LocalInvocationIndex;
    vec4 sums[kQuads];
    vec4 added[kQuads];
    // Loads that need no branch are under way together.
    [[unroll]] for (uint i = 0u; i < kQuads; ++i) {
        uint quad = min(first + i * kGroup, max(quads, 1u) - 1u);
        added[i] = x.values[quad];
        sums[i] = y.values[quad];
    }
    for (uint step_number = 0u; step_number < params.steps; ++step_number)
        [[unroll]] for (uint i = 0u; i < kQuads; ++i)
            sums[i] = fma(vec4(params.alpha), added[i], sums[i]);
    [[unroll]] for (uint i = 0u; i < kQuads; ++i) {
        uint quad = first + i * kGroup;
        if (quad < quads) result.values[quad] = sums[i];
    }
}
