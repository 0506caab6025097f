#version 460
// The start of an alignment: both cameras are one, and all iterations are to run.
#include "alignment.glsl"

layout(local_size_x = 64) in;

writeonly buffer State { Alignment now; } state;
writeonly buffer Counts { uint words[]; } counts;

uniform Params {
    uvec4 groups;     // of each level
    uvec4 iterations; // of each level, and one more slot each
} params;

void main() {
    uint lane = gl_LocalInvocationIndex;
    if (lane == 0u)
        state.now = Alignment(vec4[3](vec4(1.0, 0.0, 0.0, 0.0), vec4(0.0, 1.0, 0.0, 0.0), vec4(0.0, 0.0, 1.0, 0.0)),
                              0u, 0u, 6u, 0u, 0u, 0.0, 0.0);
    uint slot = 0u;
    for (int level = 2; level >= 0; --level)
        for (uint i = 0u; i <= params.iterations[level]; ++i, ++slot)
            if (lane < 3u) counts.words[slot * kCountStride + lane] = lane == 0u ? params.groups[level] : 1u;
}
