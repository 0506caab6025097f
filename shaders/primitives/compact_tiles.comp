#version 460
// Writes what each tile keeps, given how many elements are kept before it.
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256) in;

uniform Params {
    vec4 p;    // of the expression
    uint most; // elements
} params;
#include "invocation.glsl"
#include "length.glsl"

readonly buffer Prefixes { uint words[]; } prefixes; // one for each tile
#define KEEPS_REJECTED 1
#include "compact_write.glsl"

void main() {
    uint end = element_count(params.most);
    uint last = max(tiles_of(end, kTile), 1u) - 1u;
    uint tile = group_index();
    if (tile > last) return;
    TileCount kept = read_tile(tile, end, params.p);
    uint prefix = prefixes.words[tile];
    write_tile(tile, end, kept, prefix);
    if (tile == last && gl_LocalInvocationIndex == 0u) write_counts(end, kept, prefix);
}
