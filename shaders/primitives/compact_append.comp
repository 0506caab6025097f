#version 460
// A compaction without order: each group reserves room for what its tile keeps by one addition.
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256) in;

uniform Params {
    vec4 p;    // of the expression
    uint most; // elements
} params;
#include "invocation.glsl"
#include "length.glsl"

buffer Kept { uint number; } kept_count; // zero at the start
#define KEEPS_REJECTED 0
#define UNORDERED
#include "compact_write.glsl"

shared uint reserved; // where the group's part of the result begins

void main() {
    uint end = element_count(params.most);
    uint tile = group_index();
    if (tile >= tiles_of(end, kTile)) return;
    TileCount kept = read_tile(tile, end, params.p);
    if (gl_LocalInvocationIndex == 0u && kept.total != 0u)
        reserved = atomicAdd(kept_count.number, kept.total);
    barrier();
    if (kept.total != 0u) write_tile(tile, end, kept, reserved);
}
