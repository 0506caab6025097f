#version 460
// What rays took, as colours: from black by blue, green and yellow to white.

layout(local_size_x = 64) in;

#include "heat_color.glsl"
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

void main() {
    uint slot = invocation_index();
    if (slot >= params.slots) return;
    ivec2 pixel = pixel_of(slot, params.tiles_per_row);
    if (any(greaterThanEqual(uvec2(pixel), params.size))) return;
    uvec2 took = work.values[slot];
    uint count = shown == 0u ? took.x : shown == 1u ? took.y : took.x + took.y;
    imageStore(result, pixel, vec4(heat_color(float(count) / params.most), 1.0));
}
