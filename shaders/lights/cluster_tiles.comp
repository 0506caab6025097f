#version 460
// Which lights meet what a tile may show at any distance: a bit for each.

layout(local_size_x = 256) in;
layout(constant_id = 0) const uint side = 16u; // of a tile, pixels

#include "cell.glsl"
#include "view.glsl"

const uint kMostWords = 1024u;

readonly buffer Balls { vec4 values[]; } balls;
writeonly buffer Masks { uint values[]; } masks; // [tile][word]

uniform Params {
    uint count; // lights
    uint words; // of a tile
    vec2 size;  // of the picture, pixels
    vec2 scale;
    float perspective;
    float near;
    float far;
} params;

shared uint found[kMostWords];

void main() {
    uint lane = gl_LocalInvocationID.x;
    for (uint w = lane; w < params.words; w += 256u)
        found[w] = 0u;
    barrier();
    vec2 first = vec2(gl_WorkGroupID.xy * side);
    vec2 last = min(first + float(side), params.size) - 1.0;
    Cell cell = make_cell(slope_of(first, params.size, params.scale),
                          slope_of(last, params.size, params.scale),
                          params.near - distance_error(params.near),
                          params.far + distance_error(params.far), params.perspective);
    for (uint i = lane; i < params.count; i += 256u)
        if (meets(balls.values[i], cell, kPlanes)) atomicOr(found[i / 32u], 1u << (i % 32u));
    barrier();
    uint tile = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    for (uint w = lane; w < params.words; w += 256u)
        masks.values[tile * params.words + w] = found[w];
}
