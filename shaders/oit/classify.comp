#version 460
// Sorts the 8x8 tiles of a picture into buckets by their longest list.

layout(local_size_x = 8, local_size_y = 8) in;

uniform Params {
    uvec2 size;
    uint capacity;
    uint tiles; // of the picture; each bucket has room for as many
} params;

#include "lists.glsl"
#include "buckets.glsl"

writeonly buffer Tiles { uint values[]; } tiles;
buffer TileCount { uint values[]; } tile_counts; // one a bucket

shared uint longest;

void main() {
    if (gl_LocalInvocationIndex == 0u) longest = 0u;
    barrier();
    if (all(lessThan(gl_GlobalInvocationID.xy, params.size))) {
        uint count = 0u;
        uint pixel = gl_GlobalInvocationID.y * params.size.x + gl_GlobalInvocationID.x;
        for (Cursor c = first_fragment(pixel, params.capacity); !is_at_end(c) && count <= kLongestBucket; advance(c))
            ++count;
        if (count > 0u) atomicMax(longest, count);
    }
    barrier();
    if (gl_LocalInvocationIndex != 0u) return;
    uint bucket = bucket_of(longest);
    uint place = atomicAdd(tile_counts.values[bucket], 1u);
    tiles.values[bucket * params.tiles + place] =
        gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
}
