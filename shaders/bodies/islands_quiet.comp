#version 460
// How long each body has been quiet; one that has not keeps its island awake.

layout(local_size_x = 256) in;

#include "invocation.glsl"

readonly buffer Motions { vec4 values[]; } motions;
readonly buffer Places { vec4 values[]; } places;
readonly buffer OldRest { vec2 values[]; } old_rest;
writeonly buffer NewRest { vec2 values[]; } new_rest;
coherent buffer Roots { uint values[]; } roots;
buffer Awake { uint values[]; } awake;

uniform Params {
    uint count;
    float dt;
    float speed; // less is quiet
    float after;
} params;

#include "islands.glsl"

void main() {
    uint i = invocation_index();
    if (i >= params.count) return;
    vec2 rest = old_rest.values[i];
    vec3 v = motions.values[2u * i].xyz;
    vec3 w = motions.values[2u * i + 1u].xyz;
    bool quiet = dot(v, v) + dot(w, w) < params.speed * params.speed;
    rest.x = quiet ? rest.x + params.dt : 0.0;
    new_rest.values[i] = rest;
    if (places.values[i].w > 0.0 && rest.x < params.after) atomicOr(awake.values[root_of(i)], 1u);
}
