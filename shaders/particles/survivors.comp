#version 460
// Which particles live on: those that have not reached their span and are finite.

layout(local_size_x = 256) in;

#include "count.glsl"
#include "finite.glsl"
#include "invocation.glsl"

readonly buffer Positions { vec4 values[]; } positions;
readonly buffer Velocities { vec4 values[]; } velocities;
readonly buffer Lives { vec2 values[]; } lives; // age and span, seconds
writeonly buffer Flags { uint values[]; } flags;

uniform Params {
    uint count;
} params;

void main() {
    uint i = invocation_index();
    if (i >= particle_count(params.count)) return;
    vec2 life = lives.values[i];
    // A comparison with NaN is false: such a life has ended.
    bool living = life.x < life.y && is_alive(positions.values[i].xyz, velocities.values[i].xyz);
    flags.values[i] = living ? 1u : 0u;
}
