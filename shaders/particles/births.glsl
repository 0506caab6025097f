// Where particles are born, and how fast they fly.
#ifndef PARTICLE_BIRTHS
#define PARTICLE_BIRTHS

#include "hash.glsl"

struct Nozzle {
    vec3 place;
    vec3 direction;
    vec3 side;
    vec3 up;
    float radius; // of its disc
    float speed;
    float speed_spread; // share
    float cosine; // of half the cone's angle
    float life; // seconds
    float life_spread; // share
};

struct Birth {
    vec3 place;
    vec3 velocity;
    float life;
};

const float kTurn = 6.28318530718;

// A point of the unit circle by a share of a turn. Angles are those from -pi to pi, in which
// cosines have an accuracy that Vulkan promises.
vec2 on_circle(float share) {
    float angle = kTurn * (share - 0.5);
    return -vec2(cos(angle), sin(angle));
}

// The birth `index` of a step: the same numbers give the same birth in every run.
Birth birth_of(Nozzle nozzle, uint index, uint step, uint seed) {
    vec3 a = random_numbers(index, step, 2u * seed);
    vec3 b = random_numbers(index, step, 2u * seed + 1u);
    // Evenly over the disc, and over the part of the sphere of directions that the cone cuts out.
    float distance = nozzle.radius * sqrt(a.x);
    vec2 on_disc = distance * on_circle(a.y);
    float cosine = mix(1.0, nozzle.cosine, b.x);
    float sine = sqrt(max(1.0 - cosine * cosine, 0.0));
    vec2 aside = sine * on_circle(b.y);
    float speed = nozzle.speed * (1.0 + nozzle.speed_spread * (2.0 * b.z - 1.0));
    Birth birth;
    birth.place = nozzle.place + on_disc.x * nozzle.side + on_disc.y * nozzle.up;
    birth.velocity =
        speed * (cosine * nozzle.direction + aside.x * nozzle.side + aside.y * nozzle.up);
    birth.life = nozzle.life * (1.0 + nozzle.life_spread * (2.0 * a.z - 1.0));
    return birth;
}
#endif
