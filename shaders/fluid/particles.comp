#version 460
// Carries particles with a flow.

layout(local_size_x = 256) in;

uniform Params {
    uint count;
    uint seed;
    float dt; // time units, unless a clock says it
    float lifetime;
    vec3 low; // of the box in which they begin; 0 and 1 are the field's corners
    vec3 high;
    uint reset;
    float spacing; // world units
    vec3 origin;
} params;

#include "solid.glsl"
#include "flow.glsl"
#include "time.glsl"
#include "hash.glsl"
#include "invocation.glsl"

readonly buffer Before { vec4 values[]; } before; // place, cells; time left, 0 before the first
writeonly buffer After { vec4 values[]; } after;
writeonly buffer Positions { vec4 values[]; } positions;
writeonly buffer Velocities { vec4 values[]; } velocities;

const uint kTries = 8u; // for a place that is not in a solid

bool is_free(vec3 place) {
    ivec3 cell = ivec3(floor(place));
    return all(greaterThanEqual(cell, ivec3(0))) && all(lessThan(cell, grid.dims)) &&
           !is_obstacle(cell);
}

vec4 begun(uint i, uint life) {
    vec3 place = vec3(0.0);
    for (uint attempt = 0u; attempt < kTries; ++attempt) {
        vec3 chance = unit_interval(pcg3d(uvec3(i, life + (attempt << 24), params.seed)));
        place = mix(params.low, params.high, chance) * vec3(grid.dims);
        place = min(place, vec3(grid.dims) * 0.9999999);
        if (is_free(place)) break;
    }
    return vec4(place, params.lifetime);
}

vec3 wrapped(vec3 place) {
    for (int axis = 0; axis < 3; ++axis) {
        if (face_of(axis, false) != kPeriodic) continue;
        float size = float(grid.dims[axis]);
        place[axis] -= size * floor(place[axis] / size);
        if (place[axis] >= size) place[axis] -= size; // quotients are rounded
    }
    return place;
}

void main() {
    uint i = invocation_index();
    if (i >= params.count) return;
    vec4 particle = before.values[i];
    bool first = particle.w == 0.0 || params.reset != 0u;
    if (first) {
        particle = begun(i, 0u);
        particle.w *= (float(i) + 0.5) / float(params.count);
    } else {
        float time = elapsed(params.dt);
        vec3 halfway = particle.xyz + 0.5 * time * flow_at(particle.xyz);
        vec3 there = wrapped(particle.xyz + time * flow_at(halfway));
        if (grid.dims.z == 1) there.z = particle.z;
        particle = vec4(there, particle.w - time);
        if (!(particle.w > 0.0) || !is_free(there))
            particle = begun(i, floatBitsToUint(before.values[i].w) >> 2);
    }
    after.values[i] = particle;
    positions.values[i] = vec4(params.origin + params.spacing * particle.xyz, 0.0);
    velocities.values[i] = vec4(params.spacing * flow_at(particle.xyz), 0.0);
}
