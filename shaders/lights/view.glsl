// The camera as these kernels know it. In view space x is right, y is up and z is how far away
// something is, in front of the eye above 0. C++: `set_view`.
#ifndef LIGHTS_VIEW
#define LIGHTS_VIEW

// `terms` are P[3][3], P[3][2], P[2][3], P[2][2] of the projection P.
float distance_of(float depth, vec4 terms) {
    return (depth * terms.x - terms.y) / (depth * terms.z - terms.w);
}

float depth_of(float away, vec4 terms) {
    return (terms.y - terms.w * away) / (terms.x - terms.z * away);
}

// How far `distance_of` may be off. P[3][3] and P[2][3] are 0, 1 or -1, so that its products are
// exact and each difference is rounded once.
float distance_error(float away) {
    const float kRounding = 1.0 / 2097152.0; // 2^-21, four units in the last place
    return kRounding * abs(away);
}

// Where the middle of a pixel lies at distance 1, or anywhere where the camera is orthographic.
// `scale`: 1 / P[0][0], 1 / P[1][1].
vec2 slope_of(vec2 pixel, vec2 size, vec2 scale) {
    return ((pixel + 0.5) / size * 2.0 - 1.0) * scale;
}

// What a pixel shows, in the world.
struct Seen {
    vec3 position;
    vec3 view; // towards the eye, of any length
    float away;
};

Seen seen_at(vec2 pixel, vec2 size, float depth, vec2 scale, vec4 depth_terms, float perspective,
             mat4 world_from_view) {
    float away = distance_of(depth, depth_terms);
    vec2 slope = slope_of(pixel, size, scale);
    vec3 place = vec3(slope * mix(1.0, away, perspective), -away);
    vec3 towards_eye = mix(vec3(0.0, 0.0, 1.0), vec3(-slope, 1.0), perspective);
    return Seen((world_from_view * vec4(place, 1.0)).xyz, mat3(world_from_view) * towards_eye, away);
}

// Slices of distance, which share the lights of a tile out: as thick as they are far away, or of
// orthographic cameras all alike. `terms`: where they begin, slices for each doubling or unit, how
// many there are, and 1 where they double.
float bin_place(float away, vec4 terms) {
    float from_start = terms.w > 0.5 ? log2(max(away, terms.x) / terms.x) : away - terms.x;
    return clamp(from_start * terms.y, 0.0, terms.z - 1.0);
}

uint bin_of(float away, vec4 terms) {
    return uint(bin_place(away, terms));
}

// Which list of a tile a pixel's surface is in.
uint list_of_pixel(uvec2 pixel, uint side, uint tiles_x, uint lists, float depth, vec4 bound) {
    uint tile = pixel.y / side * tiles_x + pixel.x / side;
    return tile * lists + (lists == 2u && depth > bound.y ? 1u : 0u);
}

#endif
