#version 460
// Orientations, spins and masses of the survivors, moved up, and of the newborn behind them.

layout(local_size_x = 256) in;

#include "count.glsl"
#include "hash.glsl"
#include "invocation.glsl"

readonly buffer Kept { uint count; } kept;
readonly buffer Survivors { uint values[]; } survivors; // their numbers before
readonly buffer Orientations { vec4 values[]; } orientations;
readonly buffer Spins { vec4 values[]; } spins;
readonly buffer Births {
    uint alive;
    uint born;
    uint died;
    uint not_born;
    uint steps;
    uint owed;
    uint due;
} births;
writeonly buffer NewOrientations { vec4 values[]; } new_orientations;
writeonly buffer NewSpins { vec4 values[]; } new_spins;

uniform Params {
    uint count;
    float mass;
    float spin; // the most along each axis, radians a second
    uint seed;
} params;

const uint kSpinStream = 0x80000000u; // apart from the numbers that give places and velocities

void main() {
    uint i = invocation_index();
    if (i >= particle_count(params.count)) return;
    uint survivor_count = min(kept.count, params.count);
    if (i < survivor_count) {
        uint before = survivors.values[i];
        new_orientations.values[i] = orientations.values[before];
        new_spins.values[i] = spins.values[before];
        return;
    }
    vec3 random = random_numbers(i - survivor_count, births.steps, kSpinStream ^ params.seed);
    new_orientations.values[i] = vec4(0.0, 0.0, 0.0, 1.0);
    new_spins.values[i] = vec4(params.spin * (2.0 * random - 1.0), params.mass);
}
