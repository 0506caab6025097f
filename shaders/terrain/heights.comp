#version 460
// A map of heights: a channel of a picture, numbers, octaves of noise, or a canyon through them.

layout(local_size_x = 16, local_size_y = 16) in;
layout(constant_id = 0) const uint kind = 0u; // as HeightKind numbers it
layout(constant_id = 1) const uint has_source = 0u;
layout(constant_id = 2) const uint has_numbers = 0u;

const uint kPicture = 0u;
const uint kCanyon = 2u;
const uint kNumbers = 3u;

#include "noise.glsl"

uniform Params {
    uvec2 size;
    uint channel;
    float factor;
    float offset;
    float frequency;
    uint octaves;
    float gain;
    float ridges;
    uint seed;
    float depth;
    float breadth;
    uint terraces;
} params;

uniform sampler2D source;
readonly buffer Numbers { float values[]; } numbers; // row by row
uniform writeonly image2D result;

float hills(vec2 uv) {
    return fbm_2d(uv * params.frequency, params.octaves, params.gain, params.ridges, params.seed);
}

// From 0 at the river to 1 on the plateau; the walls rise in steps.
float wall(float beyond) {
    float rise = clamp(beyond / (4.0 * params.breadth), 0.0, 1.0);
    rise = rise * rise * (3.0 - 2.0 * rise);
    if (params.terraces == 0u) return rise;
    float step_number = rise * float(params.terraces);
    float part = fract(step_number);
    float steep = clamp((part - 0.5) * 4.0 + 0.5, 0.0, 1.0);
    float stepped = (floor(step_number) + steep * steep * (3.0 - 2.0 * steep)) /
                    float(params.terraces);
    return mix(rise, stepped, 0.8);
}

float canyon(vec2 uv) {
    float hill = hills(uv);
    // Where the river runs, by two octaves of noise along v.
    vec2 along = vec2(0.5, uv.y * 5.0);
    float bend = fbm_2d(along, 2u, 0.5, 0.0, params.seed + 101u);
    float beside = abs(uv.x - 0.5 - 0.3 * bend) + 0.02 * hill;
    float rise = wall(beside - params.breadth);
    float plateau = 0.85 + 0.15 * hill;
    return mix(plateau - params.depth + 0.02 * hill, plateau, rise);
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(uvec2(at), params.size))) return;
    float value;
    if (kind == kPicture) {
        value = texelFetch(source, at, 0)[params.channel];
    } else if (kind == kNumbers) {
        value = numbers.values[uint(at.y) * params.size.x + uint(at.x)];
    } else {
        vec2 uv = vec2(at) / vec2(max(params.size, uvec2(2u)) - 1u);
        value = kind == kCanyon ? canyon(uv) : hills(uv);
    }
    if (isnan(value) || isinf(value)) value = 0.0;
    value = value * params.factor + params.offset;
    imageStore(result, at, vec4(isnan(value) || isinf(value) ? 0.0 : value));
}
