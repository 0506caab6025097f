#version 460
// A picture of what rays have hit: lit by sun and sky, or coloured by level, rays a patch or patch.

layout(local_size_x = 8, local_size_y = 8) in;

#include "normal.glsl"
#include "levels.glsl"
#include "heat_color.glsl"

readonly buffer Rays { uvec4 quads[]; } rays;
readonly buffer Hits { uvec4 values[]; } hits;
readonly buffer Levels { uint values[]; } levels;
readonly buffer LightHits { uvec4 values[]; } light_hits;
readonly buffer Loads { uint values[]; } loads;
uniform writeonly image2D result;

layout(constant_id = 0) const uint view = 0u; // as DisplacedView of passes/displacement/draw.hpp
layout(constant_id = 1) const uint has_shadows = 0u;
const uint kLit = 0u;
const uint kLevels = 1u;
const uint kLoads = 2u;
const uint kNormals = 3u;

uniform Params {
    uvec2 size;
    uint tiles_per_row;
    uint finest;
    uint patch_count;
    float scale;
    float most; // rays of a patch that are shown white
    vec3 sun;
    vec3 low_color; // of the ground, of what rises from it, and of what lies high
    vec3 middle_color;
    vec3 high_color;
    float high; // displacement along the normal, or of vectors along y
} params;

vec3 sky(vec3 direction) {
    float up = clamp(direction.y, 0.0, 1.0);
    vec3 air = mix(vec3(0.5, 0.68, 0.92), vec3(0.1, 0.28, 0.7), sqrt(up));
    float glow = max(dot(direction, params.sun), 0.0);
    return direction.y < 0.0 ? mix(vec3(0.5, 0.68, 0.92), vec3(0.25, 0.25, 0.23),
                                   clamp(-4.0 * direction.y, 0.0, 1.0))
                             : air + vec3(1.0, 0.8, 0.5) * (0.25 * pow(glow, 24.0));
}

void main() {
    uvec2 pixel = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(pixel, params.size))) return;
    uint tile = pixel.y / 8u * params.tiles_per_row + pixel.x / 8u;
    uint i = tile * 64u + pixel.y % 8u * 8u + pixel.x % 8u;
    vec3 direction = uintBitsToFloat(rays.quads[2u * i + 1u].xyz);
    uvec4 hit = hits.values[i];
    vec3 color = sky(direction);
    if (hit.y != 0xffffffffu) {
        PlacedPatch placed = placed_patch(hit.y, params.patch_count);
        PatchRecord p = patches.elements[placed.patch_index];
        vec2 at = uintBitsToFloat(hit.zw);
        vec3 normal = normal_out_of(
            placed.instance, displaced_normal(p, at, levels.values[i], params.scale));
        if (dot(normal, direction) > 0.0) normal = -normal;
        if (view == kLevels)
            color = heat_color(float(levels.values[i]) / max(float(params.finest), 1.0));
        else if (view == kLoads)
            color = heat_color(min(float(loads.values[hit.y]) / params.most, 1.0));
        else if (view == kNormals)
            color = 0.5 * normal + 0.5;
        float facing = abs(dot(normal, direction));
        if (view == kLit) {
            vec3 moved = displaced_point(p, at, params.scale) - base_point(p, at);
            float above = along_normal != 0u ? dot(moved, base_normal(p, at)) : moved.y;
            float share = above / max(params.high, 1e-6);
            vec3 tint = mix(params.low_color, params.middle_color, smoothstep(0.02, 0.08, share));
            tint = mix(tint, params.high_color, smoothstep(0.6, 0.75, share));
            float to_sun = max(dot(normal, params.sun), 0.0);
            bool lit = to_sun > 0.0 && (has_shadows == 0u || light_hits.values[i].y == 0xffffffffu);
            vec3 ambient = 0.22 * mix(vec3(0.5, 0.45, 0.4), vec3(0.6, 0.7, 0.9), 0.5 * normal.y + 0.5);
            color = tint * (ambient + (lit ? to_sun * vec3(1.6, 1.45, 1.2) : vec3(0.0)));
        } else if (view != kNormals) {
            color *= 0.35 + 0.65 * facing;
        }
    }
    imageStore(result, ivec2(pixel), vec4(color, 1.0));
}
