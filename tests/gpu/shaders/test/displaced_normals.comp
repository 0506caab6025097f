#version 460
// Normals of displaced patches at their middles, by both functions.

layout(local_size_x = 64) in;

#include "../../../../shaders/displacement/normal.glsl"
#include "../../../../shaders/include/invocation.glsl"

writeonly buffer Result { vec4 values[]; } result;

uniform Params {
    uint count;
} params;

void main() {
    uint i = invocation_index();
    if (i >= params.count) return;
    PatchRecord p = patches.elements[i];
    result.values[2u * i] = vec4(displaced_normal(p, vec2(0.5), 1u, 1.0), 0.0);
    result.values[2u * i + 1u] = vec4(grid_normal(p, uvec2(1u), 1u, 1.0), 0.0);
}
