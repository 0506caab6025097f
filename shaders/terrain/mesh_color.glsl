// Colours of a mesh's pixels.
#ifndef TERRAIN_MESH_COLOR
#define TERRAIN_MESH_COLOR

#include "palette.glsl"

struct MeshLook {
    vec4 sun;    // towards it; share of light
    vec2 bounds; // heights at the ends of the colours
    float tint;  // share of the levels' colours
    float natural; // share of colours by height and slope
};

vec3 mesh_color(vec3 normal, float height, float level, MeshLook look) {
    float share = clamp((height - look.bounds.x) / max(look.bounds.y - look.bounds.x, 1e-9), 0.0, 1.0);
    vec3 own = mix(vec3(0.5), ground_color(share, normal.y), look.natural);
    own = mix(own, level_color(uint(max(level, 0.0) + 0.5)), look.tint);
    float lit = 0.25 + 0.2 * (0.5 + 0.5 * normal.y) + 0.9 * max(dot(normal, look.sun.xyz), 0.0);
    return own * mix(1.0, lit, look.sun.w);
}

#endif
