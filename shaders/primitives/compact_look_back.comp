#version 460
// A compaction that reads and writes memory once.
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256, local_size_x_id = 5) in;

uniform Params {
    vec4 p;    // of the expression
    uint most; // elements
} params;
#include "length.glsl"

readonly buffer Source { uint words[]; } source;
writeonly buffer Result { uint words[]; } result;
writeonly buffer Kept { uint number; } kept_count;
#define KEEPS_REJECTED 0 // see primitives/look_back.glsl
#include "compact_body.glsl"
#include "compact_write.glsl"
#include "look_back_word.glsl"
#include "look_back.glsl"

void main() {
    uint end = element_count();
    uint last = max(tiles_of(end, kTile), 1u) - 1u;
    uint tile = take_tile();
    if (tile > last) return;

    TileCount kept = read_tile(tile, end);
    announce(tile, kept.total);
    uint prefix = prefix_of(tile, kept.total);
    write_tile(tile, end, kept, prefix);
    if (tile == last && gl_LocalInvocationIndex == 0u) write_counts(end, kept, prefix);
}
