#version 460
// Particles grow older by a step.

layout(local_size_x = 256) in;

#include "count.glsl"
#include "invocation.glsl"

readonly buffer Lives { vec2 values[]; } lives; // age and span, seconds
writeonly buffer Aged { vec2 values[]; } aged;

uniform Params {
    uint count;
    float dt; // seconds
} params;

void main() {
    uint i = invocation_index();
    if (i >= particle_count(params.count)) return;
    vec2 life = lives.values[i];
    aged.values[i] = vec2(life.x + params.dt, life.y);
}
