#version 460
// Puts particles on a lattice, each a little beside its point.

layout(local_size_x = 256) in;

#include "hash.glsl"
#include "invocation.glsl"

writeonly buffer Positions { vec4 values[]; } positions;
writeonly buffer Velocities { vec4 values[]; } velocities;

uniform Params {
    uint count;
    vec3 low; // where middles may be
    vec3 high;
    uvec3 points; // of the lattice
    vec3 spacing;
    float jitter; // share of the spacing
    vec3 velocity;
    uint seed;
} params;

void main() {
    uint i = invocation_index();
    if (i >= params.count) return;
    // Layer upon layer.
    uint row = i / params.points.x;
    uvec3 point = uvec3(i % params.points.x, row / params.points.z, row % params.points.z);
    vec3 random = unit_interval(pcg3d(uvec3(i, params.seed, 0u))) - 0.5;
    vec3 place = params.low + (vec3(point) + 0.5 + params.jitter * random) * params.spacing;
    positions.values[i] = vec4(clamp(place, params.low, params.high), 1.0);
    velocities.values[i] = vec4(params.velocity, 0.0);
}
