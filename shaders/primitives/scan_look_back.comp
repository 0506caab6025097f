#version 460
// A scan that reads and writes memory once.
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256, local_size_x_id = 5) in;

uniform Params {
    uint most; // elements
} params;
#include "length.glsl"

readonly buffer Source { uvec4 quads[]; } source;
writeonly buffer Result { uvec4 quads[]; } result;
writeonly buffer Total { uint word; } total;
#include "scan_body.glsl"
#include "look_back_pair.glsl"
#include "look_back.glsl"

void main() {
    uint end = element_count(params.most);
    uint last = max(tiles_of(end, kTile), 1u) - 1u;
    uint tile = take_tile();
    if (tile > last) return;

    load_tile(tile, end);
    uint tile_total = scan_tile();
    announce(tile, tile_total);
    uint prefix = prefix_of(tile, tile_total);
    store_tile(tile, end, prefix);
    if (tile == last && gl_LocalInvocationIndex == 0u)
        total.word = decode(combine(prefix, tile_total));
}
