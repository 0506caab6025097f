// The lights of a pixel: those of its list, in ascending order, or all of them. C++: `bind_grid`.
#ifndef LIGHTS_GRID
#define LIGHTS_GRID

#include "view.glsl"
#include "reflect.glsl"

layout(constant_id = 40) const uint has_masks = 0u;
layout(constant_id = 41) const uint has_lists = 0u;
layout(constant_id = 42) const uint has_bounds = 0u;
layout(constant_id = 43) const uint has_bins = 0u;

readonly buffer Spheres { vec4 values[]; } spheres;
readonly buffer Shades { LightShade values[]; } shades;
readonly buffer Bounds { vec4 values[]; } bounds;
readonly buffer Masks { uint values[]; } masks;
readonly buffer Summaries { uint values[]; } summaries; // of masks: words that are not 0
readonly buffer Bins { uint values[]; } bins;
readonly buffer Lists { uint values[]; } lists;
readonly buffer Counts { uint values[]; } counts;

struct Grid {
    uint count; // lights
    uint words; // of a mask
    uint summary_words;
    uint room; // of a list
    uint side; // of a tile
    uint tiles_x;
    uint lists_a_tile;
    vec4 bin_terms;
};

// Bits of `hidden` are lights 0 to 31 that something is before.
vec3 light_of(uint i, LitSurface surface, uint hidden) {
    vec4 sphere = spheres.values[i];
    if (!is_in_range(sphere, surface.position)) return vec3(0.0);
    if (i < 32u && (hidden >> i & 1u) != 0u) return vec3(0.0);
    return reflected(sphere, shades.values[i], surface);
}

vec3 light_of_all(LitSurface surface, uint hidden, Grid grid) {
    vec3 sum = vec3(0.0);
    // Four a round: llvmpipe ends loops after 65,536 rounds, and there may be twice as many lights.
    for (uint i = 0u; i < grid.count; i += 4u) {
        sum += light_of(i, surface, hidden);
        if (i + 1u < grid.count) sum += light_of(i + 1u, surface, hidden);
        if (i + 2u < grid.count) sum += light_of(i + 2u, surface, hidden);
        if (i + 3u < grid.count) sum += light_of(i + 3u, surface, hidden);
    }
    return sum;
}

vec3 light_of_mask(uint list, float away, LitSurface surface, uint hidden, Grid grid) {
    vec3 sum = vec3(0.0);
    uint first_of_bin = has_bins != 0u ? bin_of(away, grid.bin_terms) * grid.words : 0u;
    for (uint s = 0u; s < grid.summary_words; ++s)
        for (uint words = summaries.values[list * grid.summary_words + s]; words != 0u;
             words &= words - 1u) {
            uint w = 32u * s + uint(findLSB(words));
            uint left = masks.values[list * grid.words + w];
            if (has_bins != 0u) left &= bins.values[first_of_bin + w];
            for (; left != 0u; left &= left - 1u)
                sum += light_of(32u * w + uint(findLSB(left)), surface, hidden);
        }
    return sum;
}

vec3 light_of_list(uint list, LitSurface surface, uint hidden, Grid grid) {
    uint listed = counts.values[list];
    if (listed > grid.room) return light_of_all(surface, hidden, grid); // not all have found room
    vec3 sum = vec3(0.0);
    for (uint k = 0u; k < listed; ++k)
        sum += light_of(lists.values[list * grid.room + k], surface, hidden);
    return sum;
}

vec3 light_at(uvec2 pixel, float depth, float away, LitSurface surface, uint hidden, Grid grid) {
    if (has_masks == 0u && has_lists == 0u) return light_of_all(surface, hidden, grid);
    uint tile = pixel.y / grid.side * grid.tiles_x + pixel.x / grid.side;
    uint list = list_of_pixel(pixel, grid.side, grid.tiles_x, grid.lists_a_tile, depth,
                              has_bounds != 0u ? bounds.values[tile] : vec4(0.0));
    return has_lists != 0u ? light_of_list(list, surface, hidden, grid)
                           : light_of_mask(list, away, surface, hidden, grid);
}

#endif
