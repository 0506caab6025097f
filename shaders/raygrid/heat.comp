#version 460
// What rays took, as colours.

layout(local_size_x = 64) in;

#include "heat_color.glsl"
#include "invocation.glsl"

layout(constant_id = 0) const uint shown = 0u; // 0: links, 1: tests, 2: rounds

readonly buffer Work { uvec4 values[]; } work;
writeonly uniform image2D result;

uniform Params {
    uvec2 size;
    uint tiles_per_row;
    uint slots;
    float most; // that has a colour of its own
} params;

const uint kTileSide = 8u; // pixels, as rays lie in buffers

void main() {
    uint slot = invocation_index();
    if (slot >= params.slots) return;
    uint tile = slot / (kTileSide * kTileSide);
    uint within = slot % (kTileSide * kTileSide);
    uvec2 pixel = kTileSide * uvec2(tile % params.tiles_per_row, tile / params.tiles_per_row) +
                  uvec2(within % kTileSide, within / kTileSide);
    if (any(greaterThanEqual(pixel, params.size))) return;
    float share = float(work.values[slot][shown]) / params.most;
    imageStore(result, ivec2(pixel), vec4(heat_color(share), 1.0));
}
