#version 460
// What paths have found, as a picture.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "paths.glsl"

readonly buffer Paths { vec4 quads[]; } paths;
writeonly uniform image2D result;

uniform Params {
    uvec2 size;
    uint tiles_per_row;
    uint slots;
} params;

void main() {
    uint slot = invocation_index();
    if (slot >= params.slots) return;
    ivec2 pixel = pixel_of(slot, params.tiles_per_row);
    if (any(greaterThanEqual(uvec2(pixel), params.size))) return;
    imageStore(result, pixel, vec4(paths.quads[2u * slot + 1u].xyz, 1.0));
}
