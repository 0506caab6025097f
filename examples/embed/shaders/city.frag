#version 460
// Dusk: a low sun, and windows that are brighter than a screen can show.

layout(location = 0) in vec3 place;
layout(location = 1) in vec3 normal;
layout(location = 2) flat in float seed;
layout(location = 0) out vec4 color;

void main() {
    vec3 sun = normalize(vec3(0.8, 0.35, 0.3));
    vec3 wall = mix(vec3(0.18, 0.16, 0.2), vec3(0.32, 0.26, 0.22), seed);
    vec3 light = vec3(0.16, 0.2, 0.34) + max(dot(normal, sun), 0.0) * vec3(2.2, 1.2, 0.6);
    color = vec4(wall * light, 1.0);
    if (abs(normal.y) > 0.5) return;
    vec2 cell = vec2(dot(place.xz, normal.zx), place.y) * vec2(6.0, 5.0);
    vec2 within = fract(cell);
    float lit = fract(sin(dot(floor(cell), vec2(12.9898, 78.233)) + seed * 100.0) * 43758.5453);
    bool window = all(greaterThan(within, vec2(0.25))) && all(lessThan(within, vec2(0.8)));
    if (window && lit > 0.72) color.rgb = vec3(7.0, 4.2, 1.8) * lit;
}
