// Two coarser levels of what a group of 16 x 16 invocations has: geometry (normal and depth) and brightness.
#ifndef MAPPING_PYRAMID
#define MAPPING_PYRAMID

#include "camera.glsl"

shared vec4 tile_geometry[256];
shared float tile_grey[256];

void put_into_tile(uvec2 place, vec4 geometry, float grey) {
    tile_geometry[16u * place.y + place.x] = geometry;
    tile_grey[16u * place.y + place.x] = grey;
}

// The mean of four texels, level 1 or 2, of the tile's levels before, which lie where their first texel lies.
// Depths too far behind the nearest one are another surface's (`largest_step`). Without depth z is 0; without
// brightness that is -1.
void mean_of_tile(uvec2 place, uint level, float edge, float focal_length, out vec4 geometry, out float grey) {
    uint apart = 1u << (level - 1u);
    uint first = (16u * place.y + place.x) << level;
    uint texels[4] = uint[4](first, first + apart, first + 16u * apart, first + 17u * apart);
    float nearest = 1e30;
    for (int i = 0; i < 4; ++i) {
        float z = tile_geometry[texels[i]].w;
        if (z > 0.0) nearest = min(nearest, z);
    }
    float step = largest_step(edge, nearest, focal_length);
    vec4 sum = vec4(0.0);
    vec2 greys = vec2(0.0);
    float count = 0.0;
    for (int i = 0; i < 4; ++i) {
        vec4 one = tile_geometry[texels[i]];
        float its_grey = tile_grey[texels[i]];
        if (its_grey >= 0.0) greys += vec2(its_grey, 1.0);
        if (one.w <= 0.0 || one.w - nearest > step) continue;
        sum += one;
        count += 1.0;
    }
    float length_squared = dot(sum.xyz, sum.xyz);
    geometry = vec4(0.0);
    // Fewer than three would put the mean beside the pixel's middle.
    if (count >= 3.0)
        geometry = vec4(length_squared > 1e-6 ? sum.xyz * inversesqrt(length_squared) : vec3(0.0), sum.w / count);
    grey = greys.y > 0.0 ? greys.x / greys.y : -1.0;
}

#endif
