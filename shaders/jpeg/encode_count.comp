#version 460
// How many bytes of 255 each tile has.

layout(local_size_x = 256) in;

#include "stream.glsl"
#include "stuffing.glsl"
#include "invocation.glsl"

readonly buffer Extent { JpegExtent extent; } extent;
readonly buffer Stream { uint words[]; } stream;
writeonly buffer Stuffed { uint bytes[]; } stuffed;

shared uint shared_count;

void main() {
    uint tile = group_index();
    if (tile >= extent.extent.tiles) return;
    if (gl_LocalInvocationIndex == 0u) shared_count = 0u;
    barrier();
    uint end = min((tile + 1u) * kTileWords, extent.extent.words);
    uint count = 0u;
    for (uint i = tile * kTileWords + gl_LocalInvocationIndex; i < end; i += gl_WorkGroupSize.x)
        count += count_255(stream.words[i]);
    if (count != 0u) atomicAdd(shared_count, count);
    barrier();
    if (gl_LocalInvocationIndex == 0u) stuffed.bytes[tile] = shared_count;
}
