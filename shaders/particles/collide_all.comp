#version 460
// Collisions with all other particles, a tile of them at a time: the baseline that the grid is
// compared with.

layout(local_size_x = 256) in;

#include "contact.glsl"
#include "count.glsl"
#include "finite.glsl"
#include "invocation.glsl"

readonly buffer Positions { vec4 values[]; } positions;
readonly buffer Velocities { vec4 values[]; } velocities;
layout(constant_id = 1) const uint has_spins = 0u;
readonly buffer Spins { vec4 values[]; } spins; // angular velocity; mass
writeonly buffer Changed { vec4 values[]; } changed;

uniform Params {
    uint count;
    float squared_distance;
    float distance;
    float push;
    float exchange;
    float friction;
} params;

const uint kTile = 256u; // the group's size
shared vec4 tile_positions[kTile]; // w: whether there is one that takes part
shared vec3 tile_velocities[kTile];

// The part of a push that its mass leaves to a particle.
float pushed_share(uint id, uint other) {
    if (has_spins == 0u) return 1.0;
    return share_of(spins.values[id].w, spins.values[other].w);
}

void main() {
    uint count = particle_count(params.count);
    uint i = invocation_index();
    uint own = min(i, max(count, 1u) - 1u); // all invocations load, whoever has a particle
    vec3 position = positions.values[own].xyz;
    vec3 velocity = velocities.values[own].xyz;
    bool alive = i < count && is_alive(position, velocity);
    Contact contact = Contact(params.squared_distance, params.distance, params.push, params.exchange,
                              params.friction);
    vec3 change = vec3(0.0);
    uint contacts = 0u;
    for (uint first = 0u; first < count; first += kTile) {
        uint loaded = first + gl_LocalInvocationIndex;
        uint at = min(loaded, count - 1u);
        vec3 p = positions.values[at].xyz;
        vec3 v = velocities.values[at].xyz;
        tile_positions[gl_LocalInvocationIndex] =
            vec4(p, loaded < count && is_alive(p, v) ? 1.0 : 0.0);
        tile_velocities[gl_LocalInvocationIndex] = v;
        barrier();
        if (alive)
            for (uint k = 0u; k < kTile; ++k) {
                vec4 other = tile_positions[k];
                uint other_id = first + k;
                if (other.w == 0.0 || other_id == i) continue;
                if (!are_touching(contact, position, other.xyz)) continue;
                change += pushed_share(i, other_id) *
                          pushed(contact, i, position, velocity, other_id, other.xyz,
                                 tile_velocities[k]);
                ++contacts;
            }
        barrier();
    }
    if (i < count) changed.values[i] = vec4(velocity + change, float(contacts));
}
