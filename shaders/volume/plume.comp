#version 460
// Where the balls of a plume are at a time, and what they are made of.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "hash.glsl"

uniform Params {
    uint count;
    uint seed;
    float time;
    float lifetime;
    vec3 source;
    float source_radius;
    float rise;
    vec3 wind;
    float spread;
    float turbulence;
    float first_radius;
    float last_radius;
    float density;
    vec3 first_albedo;
    vec3 albedo;
    vec3 glow;
    float glow_until;
    uint puffs;
} params;

writeonly buffer Balls { vec4 values[]; } balls;
writeonly buffer Optics { vec4 values[]; } optics;

const float kTurn = 6.28318530717959;

// Denser towards the middle.
vec2 on_disc(vec2 u) {
    return u.x * vec2(cos(kTurn * u.y), sin(kTurn * u.y));
}

// A few waves of different lengths: balls that are near one another are carried alike.
vec3 eddies(vec3 p, float time) {
    vec3 sum = vec3(0.0);
    float size = 1.0;
    for (int octave = 0; octave < 3; ++octave) {
        vec3 q = p / size + vec3(0.0, -0.9 * time, 0.7 * float(octave));
        sum += size * vec3(sin(2.3 * q.y + 1.3 * q.z), 0.6 * sin(1.9 * q.z + 2.1 * q.x),
                           sin(2.7 * q.x + 1.7 * q.y + 1.0));
        size *= 0.5;
    }
    return sum;
}

// Smoke comes in puffs: how dense a ball's is, and where its middle is on a disc of radius 1.
vec3 puff_of(uint i) {
    if (params.puffs == 0u) return vec3(1.0, 0.0, 0.0);
    float place = float(params.puffs) * (float(i) + 0.5) / float(params.count);
    vec2 u = unit_interval(pcg3d(uvec3(uint(place), params.seed, 7u))).xy;
    return vec3(1.4 * smoothstep(0.0, 0.7, 0.5 - 0.5 * cos(kTurn * place)), on_disc(u));
}

void main() {
    uint i = invocation_index();
    if (i >= params.count) return;
    float lives = params.time / params.lifetime + (float(i) + 0.5) / float(params.count);
    float age = fract(lives);
    uint life = uint(int(floor(lives)));
    vec3 a = unit_interval(pcg3d(uvec3(i, life, params.seed)));
    vec3 b = unit_interval(pcg3d(uvec3(i, life, params.seed + 0x9e3779b9u)));

    float seconds = age * params.lifetime;
    vec2 from_axis = on_disc(a.xy) * (params.source_radius + params.spread * age * sqrt(age));
    vec3 puff = puff_of(i);
    from_axis += puff.yz * params.spread * age;
    vec3 place = params.source + vec3(from_axis.x, 0.0, from_axis.y);
    place.y += params.rise * seconds * (1.0 - 0.25 * age) * mix(0.85, 1.15, a.z);
    place += params.wind * (0.5 * seconds * age);
    float unit = max(params.last_radius, params.first_radius) * 4.0;
    place += params.turbulence * age * eddies(place / unit, params.time / params.lifetime);

    float radius = mix(params.first_radius, params.last_radius, sqrt(age)) * mix(0.7, 1.2, b.x);
    float thinned = params.first_radius / max(radius, params.first_radius);
    float shown = smoothstep(0.0, 0.08, age) * (1.0 - smoothstep(0.55, 1.0, age));
    float extinction = params.density * shown * thinned * sqrt(thinned) * mix(0.6, 1.4, b.y);
    extinction *= mix(1.0, puff.x, smoothstep(0.1, 0.3, age));
    vec3 albedo = mix(params.first_albedo, params.albedo, smoothstep(0.0, 0.6, age));
    float hot = max(1.0 - age / params.glow_until, 0.0);

    // Any rotation, slowly turning.
    vec3 axis = normalize(b - 0.5 + vec3(1e-3, 0.0, 0.0));
    float angle = kTurn * (a.z - 0.5) + (b.z - 0.5) * age;
    vec3 rotation = axis * tan(0.25 * clamp(angle, -0.5 * kTurn, 0.5 * kTurn));

    balls.values[i] = vec4(place, radius);
    optics.values[3u * i] = vec4(vec3(extinction), rotation.x);
    optics.values[3u * i + 1u] = vec4(extinction * hot * hot * params.glow, rotation.y);
    optics.values[3u * i + 2u] = vec4(extinction * albedo, rotation.z);
}
