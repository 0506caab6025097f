// What a pixel shows, in the world.
#ifndef LIGHTS_SEEN
#define LIGHTS_SEEN

#include "view.glsl"

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

#endif
