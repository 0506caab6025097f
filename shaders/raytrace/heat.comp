#version 460
// What rays took, as colours: from black by blue, green and yellow to white.

layout(local_size_x = 64) in;

#include "invocation.glsl"

layout(constant_id = 0) const uint shown = 0u; // 0: boxes, 1: triangles, 2: both together

#include "paths.glsl"

readonly buffer Work { uvec2 values[]; } work;
writeonly uniform image2D result;

uniform Params {
    uvec2 size;
    uint tiles_per_row;
    uint slots;
    float most; // that has a colour of its own
} params;

const vec3 kRamp[6] = vec3[6](vec3(0.0), vec3(0.05, 0.08, 0.45), vec3(0.02, 0.45, 0.4),
                              vec3(0.35, 0.7, 0.1), vec3(1.0, 0.55, 0.05), vec3(1.0));

vec3 colour_of(float share) {
    float place = clamp(share, 0.0, 1.0) * 5.0;
    uint stop = min(uint(place), 4u);
    return mix(kRamp[stop], kRamp[stop + 1u], place - float(stop));
}

void main() {
    uint slot = invocation_index();
    if (slot >= params.slots) return;
    ivec2 pixel = pixel_of(slot, params.tiles_per_row);
    if (any(greaterThanEqual(uvec2(pixel), params.size))) return;
    uvec2 took = work.values[slot];
    uint count = shown == 0u ? took.x : shown == 1u ? took.y : took.x + took.y;
    imageStore(result, pixel, vec4(colour_of(float(count) / params.most), 1.0));
}
