#version 460
// Sets a clock going: finds the greatest speed of a state along an axis.

layout(local_size_x = 256) in;

uniform Params {
    uint cells;
    uint from_rest; // 1: the state is not looked at
    float elapsed;  // time units before it
    // Where ranks have the field in parts:
    ivec3 part; // cells
    ivec3 halo; // cells around them, which need not be right
} params;

layout(constant_id = 0) const uint kParts = 0u;

#include "finite.glsl"
#include "flow_cells.glsl"

buffer Status {
#include "status.glsl"
} status;

shared uint fastest;

// Where the arrays have cell `i` of those that are looked at.
uint place_of(uint i) {
    if (kParts == 0u) return i;
    uvec3 part = uvec3(params.part);
    uvec3 held = uvec3(params.part + 2 * params.halo);
    uvec3 at = uvec3(i % part.x, i / part.x % part.y, i / (part.x * part.y)) + uvec3(params.halo);
    return (at.z * held.y + at.y) * held.x + at.x;
}

void main() {
    if (gl_LocalInvocationIndex == 0u) fastest = 0u;
    float most = 0.0;
    uint count = params.from_rest != 0u ? 0u : params.cells;
    uint stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    for (uint i = gl_GlobalInvocationID.x; i < count; i += stride) {
        vec4 state = flow_cell(place_of(i));
        if (!is_finite(state)) continue; // a step sets it to rest
        vec3 speed = abs(state.xyz);
        most = max(most, max(max(speed.x, speed.y), speed.z));
    }
    barrier();
    atomicMax(fastest, floatBitsToUint(most));
    barrier();
    if (gl_LocalInvocationIndex != 0u) return;
    atomicMax(status.fastest[0], fastest);
    if (gl_WorkGroupID.x == 0u) status.elapsed = params.elapsed;
}
