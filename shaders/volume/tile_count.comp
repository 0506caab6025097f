#version 460
// How many spheres may be seen through each tile: a group a tile.

layout(local_size_x = 256) in;

uniform Params {
    vec3 eye;
    vec3 first;
    vec3 per_x;
    vec3 per_y;
    uvec2 size;
    uint spheres;
    uint tile;
    uint tiles_per_row;
    uint parent_scale;
    uint parents_per_row;
    uint parent_entries;
    uint entries;
} params;

#include "view.glsl"
#include "tiles.glsl"

writeonly buffer Counts { uint values[]; } counts;

shared uint found;

void main() {
    if (gl_LocalInvocationIndex == 0u) found = 0u;
    barrier();
    uvec2 tile = gl_WorkGroupID.xy;
    Pyramid pyramid = pyramid_of(tile);
    Candidates candidates = candidates_of(tile);
    uint own = 0u;
    for (uint i = gl_LocalInvocationIndex; i < candidates.count; i += gl_WorkGroupSize.x)
        own += may_meet(pyramid, balls.values[candidate(candidates, i)]) ? 1u : 0u;
    if (own > 0u) atomicAdd(found, own);
    barrier();
    if (gl_LocalInvocationIndex == 0u) counts.values[tile_number()] = found;
}
