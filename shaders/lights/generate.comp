#version 460
// Lights at random places of a box, which drift between its sides.

layout(local_size_x = 256) in;

#include "hash.glsl"
#include "invocation.glsl"
#include "light.glsl"

writeonly buffer Spheres { vec4 values[]; } spheres; // place and range
writeonly buffer Shades { LightShade values[]; } shades;

uniform Params {
    uint count;
    uint seed;
    vec3 low; // of the box
    vec3 high;
    float least_range;
    float greatest_range;
    float intensity;
    float saturation;
    float spots; // share of all lights
    float cos_inner;
    float cos_outer;
    float way; // that the fastest has gone along each axis by now, in sides of the box
} params;

// There and back between 0 and 1, evenly.
vec3 folded(vec3 way) {
    return abs(1.0 - 2.0 * fract(0.5 * way + 0.5));
}

vec3 hue_color(float hue) {
    return clamp(abs(fract(hue + vec3(0.0, 2.0, 1.0) / 3.0) * 6.0 - 3.0) - 1.0, 0.0, 1.0);
}

void main() {
    uint i = invocation_index();
    if (i >= params.count) return;
    vec3 start = random_numbers(i, params.seed, 0u);
    vec3 speed = random_numbers(i, params.seed, 1u) * 2.0 - 1.0;
    vec3 looks = random_numbers(i, params.seed, 2u);
    vec3 turned = random_numbers(i, params.seed, 3u);
    vec3 place = mix(params.low, params.high, folded(start + speed * params.way));
    spheres.values[i] = vec4(place, mix(params.least_range, params.greatest_range, looks.x));

    LightShade light;
    light.color = params.intensity * mix(vec3(1.0), hue_color(looks.y), params.saturation);
    float z = 2.0 * turned.x - 1.0;
    float angle = 6.28318531 * turned.y;
    vec2 around = sqrt(max(1.0 - z * z, 0.0)) * vec2(cos(angle), sin(angle));
    light.direction = normalize(vec3(around, z)); // sines may be coarse
    bool spot = looks.z < params.spots;
    light.cos_inner = spot ? params.cos_inner : -1.0;
    light.cos_outer = spot ? params.cos_outer : -2.0;
    shades.values[i] = light;
}
