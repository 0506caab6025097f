#version 460
// y <- alpha * x + y, `steps` times. Four quads an invocation.

layout(local_size_x = 256) in;

uniform Params {
    uint most; // elements
    float alpha;
    uint steps;
} params;

#include "primitives/length.glsl"
#include "primitives/tile.glsl"

readonly buffer X { vec4 values[]; } x;
readonly buffer Y { vec4 values[]; } y;
writeonly buffer Result { vec4 values[]; } result;

void main() {
    uint quads = (element_count() + 3u) / 4u;
    uint first = group_index() * kGroup * kQuads + gl_LocalInvocationIndex;
    vec4 sums[kQuads];
    vec4 added[kQuads];
    for (uint i = 0u; i < kQuads; ++i) {
        uint quad = first + i * kGroup;
        if (quad >= quads) break;
        added[i] = x.values[quad];
        sums[i] = y.values[quad];
    }
    for (uint i = 0u; i < kQuads; ++i) {
        uint quad = first + i * kGroup;
        if (quad >= quads) break;
        for (uint step_number = 0u; step_number < params.steps; ++step_number)
            sums[i] = fma(vec4(params.alpha), added[i], sums[i]);
        result.values[quad] = sums[i];
    }
}
