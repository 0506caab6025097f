#version 460
// How many bytes of 255 each tile has; of tiles beyond the data none.

layout(local_size_x = 256) in;

uniform Params {
    uint room;  // words
    uint tiles; // that there is room for
} params;

#include "shape.glsl"
#include "extent.glsl"
#include "stuffing.glsl"
#include "invocation.glsl"

readonly buffer Stream { uint words[]; } stream;
writeonly buffer Stuffed { uint bytes[]; } stuffed;

shared uint shared_count;

void main() {
    uint tile = group_index();
    if (tile >= params.tiles) return;
    if (gl_LocalInvocationIndex == 0u) shared_count = 0u;
    barrier();
    uint end = min((tile + 1u) * kTileWords, data_extent(params.room).words);
    uint count = 0u;
    for (uint i = tile * kTileWords + gl_LocalInvocationIndex; i < end; i += gl_WorkGroupSize.x)
        count += count_255(stream.words[i]);
    if (count != 0u) atomicAdd(shared_count, count);
    barrier();
    if (gl_LocalInvocationIndex == 0u) stuffed.bytes[tile] = shared_count;
}
