#version 460
// Collisions with the particles of the 27 cells around, or the 9 of a grid that is one cell deep.

layout(local_size_x = 256) in;

#include "cells.glsl"
#include "contact.glsl"
#include "count.glsl"
#include "finite.glsl"
#include "invocation.glsl"

readonly buffer Order { uint values[]; } order;
readonly buffer Ranges { uvec2 values[]; } ranges;
readonly buffer Positions { vec4 values[]; } positions; // sorted by cell
readonly buffer Velocities { vec4 values[]; } velocities;
layout(constant_id = 1) const uint has_spins = 0u;
readonly buffer Spins { vec4 values[]; } spins; // angular velocity; mass
writeonly buffer Changed { vec4 values[]; } changed; // in the order before sorting

uniform Params {
    uint count;
    float squared_distance;
    float distance;
    float push;
    float exchange;
    float friction;
    vec3 origin;
    float cells_per_unit;
    uvec3 cells;
} params;

// The particles of up to three cells side by side, which follow each other in the order.
uvec2 row_range(uint first, uint last) {
    uvec2 all_of = uvec2(0xffffffffu, 0u);
    for (uint cell = first; cell <= last; ++cell) {
        uvec2 range = ranges.values[cell];
        if (range.x < range.y) all_of = uvec2(min(all_of.x, range.x), max(all_of.y, range.y));
    }
    return all_of;
}

// The part of a push that its mass leaves to a particle.
float pushed_share(uint id, uint other) {
    if (has_spins == 0u) return 1.0;
    return share_of(spins.values[id].w, spins.values[other].w);
}

void main() {
    uint i = invocation_index();
    if (i >= particle_count(params.count)) return;
    uint id = order.values[i];
    vec3 position = positions.values[i].xyz;
    vec3 velocity = velocities.values[i].xyz;
    Contact contact = Contact(params.squared_distance, params.distance, params.push, params.exchange,
                              params.friction);
    vec3 change = vec3(0.0);
    uint contacts = 0u;
    if (is_alive(position, velocity)) {
        uvec3 own = cell_of(position, params.origin, params.cells_per_unit, params.cells);
        uvec3 low = max(own, uvec3(1u)) - 1u;
        uvec3 high = min(own + 1u, params.cells - 1u);
        for (uint z = low.z; z <= high.z; ++z)
            for (uint y = low.y; y <= high.y; ++y) {
                uint row = cell_index(uvec3(0u, y, z), params.cells);
                uvec2 range = row_range(row + low.x, row + high.x);
                for (uint j = range.x; j < range.y; ++j) {
                    vec3 other = positions.values[j].xyz;
                    if (j == i || !are_touching(contact, position, other)) continue;
                    uint other_id = order.values[j];
                    change += pushed_share(id, other_id) *
                              pushed(contact, id, position, velocity, other_id, other,
                                     velocities.values[j].xyz);
                    ++contacts;
                }
            }
    }
    changed.values[id] = vec4(velocity + change, float(contacts));
}
