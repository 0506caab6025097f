#version 460
// Bodies of islands where nobody is awake sleep.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "status.glsl"

readonly buffer Places { vec4 values[]; } places;
readonly buffer Awake { uint values[]; } awake;
coherent buffer Roots { uint values[]; } roots;
buffer NewRest { vec2 values[]; } new_rest;
buffer Motions { vec4 values[]; } motions;
buffer Status { BodiesStatus elements[]; } status;

uniform Params {
    uint count;
} params;

#include "islands.glsl"

void main() {
    uint i = invocation_index();
    if (i >= params.count || places.values[i].w <= 0.0) return;
    bool sleeps = awake.values[root_of(i)] == 0u;
    new_rest.values[i].y = sleeps ? 1.0 : 0.0;
    if (!sleeps) return;
    motions.values[2u * i].xyz = vec3(0.0);
    motions.values[2u * i + 1u].xyz = vec3(0.0);
    atomicAdd(status.elements[0].asleep, 1u);
}
