// What is drawn around particles, and the light on it.
#ifndef PARTICLE_VIEW
#define PARTICLE_VIEW

const vec3 kSun = vec3(-0.42, 0.78, 0.46); // towards it, of unit length but for rounding
const vec3 kSunlight = vec3(2.4, 2.25, 2.0);
const vec3 kSky = vec3(0.55, 0.68, 0.85);
const vec3 kFloor = vec3(0.62, 0.6, 0.57);

// Where a ray first meets a ball, or -1.
float ball_hit(vec3 from, vec3 direction, vec3 center, float radius) {
    vec3 to = center - from;
    float along = dot(to, direction);
    vec3 aside = to - along * direction; // exact where the ball is far away
    float half_chord = radius * radius - dot(aside, aside);
    if (half_chord < 0.0) return -1.0;
    return along - sqrt(half_chord);
}

// The share of the sun that the obstacle leaves, a sphere of middle and radius; radius 0: none.
float sunlit(vec3 place, vec4 sphere) {
    vec3 to = sphere.xyz - place;
    float along = dot(to, kSun);
    float miss = length(to - along * kSun);
    float shade = smoothstep(0.85, 1.1, miss / max(sphere.w, 1e-20));
    return along > 0.0 && sphere.w > 0.0 ? shade : 1.0;
}

// Light that a matt surface gives off in the shadow of `sphere`.
vec3 shaded(vec3 color, vec3 place, vec3 normal, float open, vec4 sphere) {
    float sun = max(dot(normal, kSun), 0.0) * sunlit(place, sphere);
    vec3 around = mix(kFloor * 0.45, kSky, 0.5 + 0.5 * normal.y);
    return color * (kSunlight * sun + around * open) * 0.5;
}

vec3 sky(vec3 direction) {
    return mix(vec3(0.75, 0.78, 0.8), kSky * 0.75, clamp(direction.y * 2.0, 0.0, 1.0));
}
#endif
