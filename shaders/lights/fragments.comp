#version 460
//! variants TEXTURE_ARRAY=0,1
#if TEXTURE_ARRAY
#extension GL_EXT_nonuniform_qualifier : require
#endif
// Adds to the colours of transparent fragments what they reflect of many small lights: those of
// their cluster, whatever lies before or behind.

layout(local_size_x = 16, local_size_y = 16) in;

#include "grid.glsl"
#include "view.glsl"
#include "triangle_surface.glsl"

// As shaders/include/fragment_lists.glsl has them; fragments have the payload hdr.
layout(constant_id = 11) const uint kLayout = 0u;
const uint kLinked = 0u;
const uint kArrays = 1u;

readonly buffer Heads { uint values[]; } heads;
buffer Fragments { uint words[]; } fragments;

uniform Params {
    uint count;
    uint words;
    uint summary_words;
    uint room;
    uint side;
    uint tiles_x;
    uint lists_a_tile;
    uvec2 size; // of the picture
    uvec2 origin; // of the pixels that have lists
    uvec2 listed; // how many these are, right and down
    uint capacity;
    uint triangles;
    vec2 depths; // scale and bias of the fragments' depths
    vec2 scale;
    vec4 depth_terms;
    vec4 bin_terms;
    float perspective;
    mat4 world_from_view;
    float roughness;
    float metallic;
    uint first_material;
    uint end_material;
    ivec4 texture_ids[3];
} params;

const uint kEnd = 0xffffffffu;
const uint kStride = kLayout == kLinked ? 5u : 4u;
const float kBrightest = 65504.0;

void add_light(uint at, uvec2 pixel) {
    uint triangle = fragments.words[at + 3u] >> 8u;
    if (triangle >= params.triangles) return;
    float stored = uintBitsToFloat(fragments.words[at + 2u] >> 2u);
    float depth = (stored - params.depths.y) / params.depths.x;
    Seen seen = seen_at(vec2(pixel), vec2(params.size), depth, params.scale, params.depth_terms,
                        params.perspective, params.world_from_view);
    Surface surface =
        triangle_surface(triangle, seen.position, -normalize(seen.view), params.texture_ids);
    LitSurface lit = lit_surface(seen.position, surface.normal, seen.view, surface.base_color.rgb,
                                 params.roughness, params.metallic);
    Grid grid = Grid(params.count, params.words, params.summary_words, params.room, params.side,
                     params.tiles_x, params.lists_a_tile, params.bin_terms);
    vec3 sum = light_at(pixel, depth, seen.away, lit, 0u, grid);
    vec4 color = vec4(unpackHalf2x16(fragments.words[at]), unpackHalf2x16(fragments.words[at + 1u]));
    color.rgb = clamp(color.rgb + sum, 0.0, kBrightest);
    fragments.words[at] = packHalf2x16(color.rg);
    fragments.words[at + 1u] = packHalf2x16(color.ba);
}

void main() {
    uvec2 own = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(own, params.listed))) return;
    uvec2 pixel = params.origin + own;
    uint number = own.y * params.listed.x + own.x;
    if (kLayout == kArrays) {
        uint end = heads.values[number + 1u];
        if (end > params.capacity) return; // not all have found room: the pixel has none
        for (uint i = heads.values[number]; i < end; ++i)
            add_light(i * kStride, pixel);
        return;
    }
    for (uint node = heads.values[number]; node != kEnd && node < params.capacity;
         node = fragments.words[node * kStride + 4u])
        add_light(node * kStride, pixel);
}
