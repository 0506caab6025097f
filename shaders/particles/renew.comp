#version 460
// The survivors, moved up to where others have died, and the newborn behind them.

layout(local_size_x = 256) in;

#include "births.glsl"
#include "count.glsl"
#include "invocation.glsl"

readonly buffer Kept { uint count; } kept;
readonly buffer Survivors { uint values[]; } survivors; // their numbers before
readonly buffer Positions { vec4 values[]; } positions;
readonly buffer Velocities { vec4 values[]; } velocities;
readonly buffer Lives { vec2 values[]; } lives;
readonly buffer Births {
    uint alive;
    uint born;
    uint died;
    uint not_born;
    uint steps;
    uint owed;
    uint due;
} births;
writeonly buffer NewPositions { vec4 values[]; } new_positions;
writeonly buffer NewVelocities { vec4 values[]; } new_velocities;
writeonly buffer NewLives { vec2 values[]; } new_lives;

uniform Params {
    uint count;
    float dt; // seconds
    vec3 place;
    vec3 direction; // of unit length, like the two others, at right angles
    vec3 side;
    vec3 up;
    float radius;
    float speed;
    float speed_spread;
    float cosine; // of the angle to the direction that velocities have at most
    float life;
    float life_spread;
    uint seed;
} params;

void main() {
    uint i = invocation_index();
    if (i >= particle_count(params.count)) return;
    uint survivor_count = min(kept.count, params.count);
    if (i < survivor_count) {
        uint before = survivors.values[i];
        new_positions.values[i] = positions.values[before];
        new_velocities.values[i] = velocities.values[before];
        new_lives.values[i] = lives.values[before];
        return;
    }
    uint index = i - survivor_count; // among those of this step
    Nozzle nozzle =
        Nozzle(params.place, params.direction, params.side, params.up, params.radius, params.speed,
               params.speed_spread, params.cosine, params.life, params.life_spread);
    // Births are spread over the step; since then particles fly on.
    float since = params.dt * ((float(index) + 0.5) / float(max(births.due, 1u)));
    Birth birth = birth_of(nozzle, index, births.steps, params.seed);
    new_positions.values[i] = vec4(birth.place + birth.velocity * since, 1.0);
    new_velocities.values[i] = vec4(birth.velocity, 0.0);
    new_lives.values[i] = vec2(since, birth.life);
}
