#version 460
// Orientations after a step: q <- q + dt/2 (0, w) q, and of unit length again.

layout(local_size_x = 256) in;

#include "count.glsl"
#include "invocation.glsl"

readonly buffer Orientations { vec4 values[]; } orientations; // x, y, z, w
readonly buffer Spins { vec4 values[]; } spins; // radians a second; mass
writeonly buffer Turned { vec4 values[]; } turned;

uniform Params {
    uint count;
    float dt; // seconds
} params;

// The product (v, 0) q of quaternions, the first without real part.
vec4 product(vec3 v, vec4 q) {
    return vec4(q.w * v + cross(v, q.xyz), -dot(v, q.xyz));
}

void main() {
    uint i = invocation_index();
    if (i >= particle_count(params.count)) return;
    vec4 q = orientations.values[i];
    vec3 turn = 0.5 * params.dt * spins.values[i].xyz;
    // What does not spin keeps its orientation to the bit, which rounding would change.
    if (any(notEqual(turn, vec3(0.0)))) {
        vec4 sum = q + product(turn, q);
        float largest = max(max(abs(sum.x), abs(sum.y)), max(abs(sum.z), abs(sum.w)));
        // Squares of large components would overflow.
        vec4 scaled = sum / largest;
        if (largest > 0.0) q = scaled / length(scaled);
    }
    turned.values[i] = q;
}
