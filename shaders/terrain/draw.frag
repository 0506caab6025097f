#version 460
// The ground: its colour by height and slope, colours of levels, and the wires of the grids.

#include "palette.glsl"

uniform Params { // as in draw.vert
    mat4 clip_from_world;
    vec4 ground;
    vec4 shape;
    vec3 eye;
    float reach;
    vec2 morph;
    vec3 sun;
    float light;
    float tint;
    float wire;
    float haze;
    vec4 background;
    vec4 color;
    float natural;
    vec2 bounds;
} params;

layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 cell;
layout(location = 3) flat in uint level;

layout(location = 0) out vec4 color;

// 1 in the middle of a wire of about a pixel's width (Gateau, "Solid Wireframe", 2007): sides of the
// cells and their diagonals.
float wire_at(vec2 place) {
    vec3 lines = vec3(place, place.x + place.y);
    vec3 away = abs(lines - round(lines)) / max(fwidth(lines), vec3(1e-6));
    float nearest = min(min(away.x, away.y), away.z);
    // Where cells are hardly wider than wires nothing else would be seen.
    float room = 1.0 / max(max(fwidth(place.x), fwidth(place.y)), 1e-6);
    return clamp(1.25 - nearest, 0.0, 1.0) * clamp((room - 2.0) / 4.0, 0.0, 1.0);
}

void main() {
    vec3 n = normalize(normal);
    float height = clamp((world.y - params.bounds.x) / max(params.bounds.y - params.bounds.x, 1e-9),
                         0.0, 1.0);
    vec3 own = mix(params.color.rgb, ground_color(height, n.y), params.natural);
    own = mix(own, level_color(level), params.tint);
    float lit = 0.25 + 0.2 * (0.5 + 0.5 * n.y) + 0.9 * max(dot(n, params.sun), 0.0);
    own *= mix(1.0, lit, params.light);
    own = mix(own, vec3(0.012), params.wire * wire_at(cell));
    float seen = exp(-params.haze * distance(world, params.eye));
    color = vec4(mix(params.background.rgb, own, seen), 1.0);
}
