#version 460
// Where the triangles of each tile begin among those sorted by tile.

layout(local_size_x = 256) in;

#include "invocation.glsl"

uniform Params {
    uint tiles;
} params;

readonly buffer Count { uint word; } count;
readonly buffer Sorted { uint words[]; } sorted; // tiles
writeonly buffer Offsets { uint words[]; } offsets; // one for each tile, and the number of all

// The first of `end` sorted words that is not less.
uint lower_bound(uint tile, uint end) {
    uint first = 0u;
    while (first < end) {
        uint middle = first + (end - first) / 2u;
        if (sorted.words[middle] < tile)
            first = middle + 1u;
        else
            end = middle;
    }
    return first;
}

void main() {
    uint tile = invocation_index();
    if (tile <= params.tiles) offsets.words[tile] = lower_bound(tile, count.word);
}
