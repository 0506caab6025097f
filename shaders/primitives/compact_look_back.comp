#version 460
// A compaction that reads and writes memory once.
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256, local_size_x_id = 5) in;

uniform Params {
    vec4 p;    // of the expression
    uint most; // elements
} params;
#include "length.glsl"

#define KEEPS_REJECTED 0 // see primitives/look_back.glsl
#include "compact_write.glsl"
// What a tile of primitives/look_back.glsl publishes where its value is a count of elements, which
// has thirty bits (kMaxElements in passes/primitives/elements.hpp): one word.
#include "published.glsl"

// Zero at the start: the next tile's number, then a word for each tile.
coherent buffer LookBack { uint states[]; } look_back;

uint take_ticket() {
    return atomicAdd(look_back.states[0], 1u);
}

void publish(uint tile, uint value, uint state) {
    atomicMax(look_back.states[tile + 1u], state << 30 | value);
}

Published published(uint tile) {
    uint word = atomicOr(look_back.states[tile + 1u], 0u);
    return Published(word >> 30, word & 0x3fffffffu);
}
#include "look_back.glsl"

void main() {
    uint end = element_count(params.most);
    uint last = max(tiles_of(end, kTile), 1u) - 1u;
    uint tile = take_tile();
    if (tile > last) return;

    TileCount kept = read_tile(tile, end, params.p);
    announce(tile, kept.total);
    uint prefix = prefix_of(tile, kept.total);
    write_tile(tile, end, kept, prefix);
    if (tile == last && gl_LocalInvocationIndex == 0u) write_counts(end, kept, prefix);
}
