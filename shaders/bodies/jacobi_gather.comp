#version 460
// What the constraints of a body do to it, summed in their order.

layout(local_size_x = 256) in;

#include "invocation.glsl"

readonly buffer Offsets { uvec2 values[]; } offsets;
readonly buffer Incidences { uint values[]; } incidences; // twice a place; + 1: it is the second body
readonly buffer Pushes { vec4 values[]; } pushes;
readonly buffer Masses { vec4 values[]; } masses;
buffer Motions { vec4 values[]; } motions;

uniform Params {
    uint count;
    uint stride;
} params;

void main() {
    uint i = invocation_index();
    if (i >= params.count || masses.values[2u * i].w == 0.0) return;
    vec3 v = vec3(0.0);
    vec3 w = vec3(0.0);
    uvec2 range = offsets.values[i];
    for (uint k = range.x; k < range.y; ++k) {
        uint s = incidences.values[k] / 2u;
        vec4 first = pushes.values[s];
        vec4 second = pushes.values[params.stride + s];
        vec4 third = pushes.values[2u * params.stride + s];
        bool is_second = (incidences.values[k] & 1u) != 0u;
        v += is_second ? vec3(first.w, second.w, third.w) : first.xyz;
        w += is_second ? third.xyz : second.xyz;
    }
    motions.values[2u * i].xyz += v;
    motions.values[2u * i + 1u].xyz += w;
}
