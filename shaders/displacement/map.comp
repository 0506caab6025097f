#version 460
// A map of displacements by formula, for a quad of side 1 whose first coordinate goes along x and
// whose second goes along -z.

layout(local_size_x = 16, local_size_y = 16) in;

#include "hash.glsl"

layout(constant_id = 0) const uint kind = 0u; // as DisplacementShape of passes/displacement/map.hpp
const uint kMushroom = 0u;
const uint kCylinder = 1u;
const uint kSphere = 2u;
const uint kBark = 3u;

uniform writeonly image2D result;

uniform Params {
    uvec2 size;
    float side;   // of the quad
    float bend;   // radians, of a cylinder or a sphere
    float detail; // 0: smooth
    uint seed;
} params;

const float kPi = 3.14159265358979;

float lattice(ivec2 at, ivec2 period) {
    uvec2 wrapped = uvec2((at % period + period) % period);
    return random_numbers(wrapped.x, wrapped.y, params.seed).x * 2.0 - 1.0;
}

// Noise that repeats after `period` cells in both directions.
float noise(vec2 at, ivec2 period) {
    ivec2 cell = ivec2(floor(at));
    vec2 f = fract(at);
    vec2 w = f * f * (3.0 - 2.0 * f);
    float lower = mix(lattice(cell, period), lattice(cell + ivec2(1, 0), period), w.x);
    float upper = mix(lattice(cell + ivec2(0, 1), period), lattice(cell + 1, period), w.x);
    return mix(lower, upper, w.y);
}

// Radius and height over the way from the rim (0) to the top of the cap (1).
vec2 mushroom(float way) {
    if (way < 0.2) return mix(vec2(0.46, 0.0), vec2(0.075, 0.0), way / 0.2);
    if (way < 0.45) {
        float up = (way - 0.2) / 0.25;
        return vec2(0.075 - 0.02 * sin(kPi * up), 0.34 * up);
    }
    if (way < 0.6) return mix(vec2(0.075, 0.34), vec2(0.27, 0.27), (way - 0.45) / 0.15);
    float angle = (way - 0.6) / 0.4 * 0.5 * kPi;
    return vec2(0.27 * cos(angle), 0.27 + 0.2 * sin(angle));
}

vec3 displacement(vec2 uv) {
    vec2 from_middle = uv - 0.5;
    vec3 base = vec3(from_middle.x, 0.0, -from_middle.y);
    if (kind == kMushroom) {
        float radius = length(from_middle);
        if (radius >= 0.46) return vec3(0.0);
        float way = 1.0 - radius / 0.46;
        vec2 place = mushroom(way);
        vec2 outwards = radius > 1e-6 ? from_middle / radius : vec2(1.0, 0.0);
        float around = atan(outwards.y, outwards.x) / (2.0 * kPi) + 0.5;
        float cap = smoothstep(0.6, 0.75, way);
        // Over the plane: numbers about the middle would meet at the top in a spike.
        float bumps = params.detail * 0.02 * cap * noise(from_middle * 56.0 + 32.0, ivec2(64));
        float gills = params.detail * 0.006 * smoothstep(0.45, 0.5, way) *
                      (1.0 - smoothstep(0.58, 0.62, way)) * sin(around * 2.0 * kPi * 28.0);
        return vec3(outwards.x * (place.x + bumps), place.y + bumps + gills,
                    -outwards.y * (place.x + bumps)) - base;
    }
    if (kind == kCylinder) {
        // As long along the bend as the quad was.
        float angle = params.bend * from_middle.x;
        float radius = 1.0 / max(params.bend, 1e-4);
        return vec3(radius * sin(angle), radius * (cos(angle) - 1.0), base.z) - base;
    }
    if (kind == kSphere) {
        float angle = params.bend * length(from_middle);
        float radius = 1.0 / max(params.bend, 1e-4);
        vec2 outwards = length(from_middle) > 1e-9 ? normalize(from_middle) : vec2(0.0);
        return vec3(outwards.x * radius * sin(angle), radius * (cos(angle) - 1.0),
                    -outwards.y * radius * sin(angle)) - base;
    }
    // Bark: plates between furrows that wind upwards; both directions repeat.
    float wind = 0.5 * noise(uv * vec2(4.0, 6.0), ivec2(4, 6));
    float plates = abs(fract(uv.x * 8.0 + wind) * 2.0 - 1.0);
    float cracks = abs(fract(uv.y * 6.0 + 0.6 * noise(uv * vec2(8.0, 3.0), ivec2(8, 3))) * 2.0 - 1.0);
    float height = min(smoothstep(0.0, 0.5, plates), smoothstep(0.0, 0.25, cracks));
    height += params.detail * 0.25 * noise(uv * 48.0, ivec2(48));
    return vec3(height, 0.0, 0.0);
}

void main() {
    uvec2 at = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(at, params.size))) return;
    // Coordinates are 0 at the first texel and 1 at the last.
    uvec2 last = max(params.size - 1u, uvec2(1u));
    // What repeats does so to the bit.
    vec2 uv = vec2(kind == kBark ? at % last : at) / vec2(last);
    imageStore(result, ivec2(at), vec4(params.side * displacement(uv), 0.0));
}
