#version 460
// The sky and the floor.

uniform sampler2D shadow;

uniform Params {
    mat4 view_projection;
    mat4 inverse_view_projection;
    mat4 sun;
    vec3 eye;
    vec3 middle;   // of what is seen
    float size;    // of it
    float floor_y;
    uint has_floor;
    float tile;    // side of the floor's tiles
    float texel;
} params;

#include "view.glsl"

layout(location = 0) in vec2 clip;
layout(location = 0) out vec4 result;

void main() {
    vec4 far = params.inverse_view_projection * vec4(clip, 1.0, 1.0);
    vec3 direction = normalize(far.xyz / far.w - params.eye);
    result = vec4(sky_color(direction), 1.0);
    gl_FragDepth = 1.0;
    if (params.has_floor == 0u || direction.y >= -1e-6) return;
    float t = (params.floor_y - params.eye.y) / direction.y;
    if (t <= 0.0) return;
    vec3 place = params.eye + t * direction;
    vec2 cell = floor(place.xz / params.tile);
    float checker = mod(cell.x + cell.y, 2.0);
    float sun = sunlit(shadow, params.sun, place, vec3(0.0, 1.0, 0.0), params.texel);
    // Far away tiles become one colour, and the floor the sky.
    float blur = clamp(t / (60.0 * params.tile), 0.0, 1.0);
    vec3 color = kFloorColor * mix(mix(0.85, 1.1, checker), 0.975, blur);
    float haze = smoothstep(1.5, 8.0, length(place.xz - params.middle.xz) / params.size);
    result.rgb = mix(lit(color, vec3(0.0, 1.0, 0.0), sun), sky_color(vec3(0.0)), haze);
    vec4 projected = params.view_projection * vec4(place, 1.0);
    gl_FragDepth = clamp(projected.z / projected.w, 0.0, 1.0);
}
