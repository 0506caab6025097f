#version 460
// Turns the counts of a digit into sums over the tiles before: a group for each digit, or where
// there are few tiles, an invocation.
#define KEY_WORDS 1
#include "primitives/radix_shape.glsl"

layout(constant_id = 13) const uint tile_elements = 4096u;
layout(constant_id = 14) const uint few_tiles = 0u;

buffer Offsets { uint words[]; } offsets;
writeonly buffer Totals { uint words[]; } totals;

shared uint chunk_total;

void sum_alone(uint digit) {
    if (digit >= kBins) return;
    uint row = digit * tiles_of(params.most, tile_elements);
    uint tiles = tiles_of(element_count(), tile_elements);
    uint sum = 0u;
    for (uint tile = 0u; tile < tiles; ++tile) {
        uint count = offsets.words[row + tile];
        offsets.words[row + tile] = sum;
        sum += count;
    }
    totals.words[digit] = sum;
}

void main() {
    uint index = own_index();
    if (few_tiles != 0u) {
        sum_alone(index);
        return;
    }
    uint row = gl_WorkGroupID.x * tiles_of(params.most, tile_elements);
    uint tiles = tiles_of(element_count(), tile_elements);
    uint sum = 0u;
    for (uint first = 0u; first < tiles; first += kGroupSize) {
        uint tile = first + index;
        uint count = tile < tiles ? offsets.words[row + tile] : 0u;
        uint before = sum_before(count);
        if (tile < tiles) offsets.words[row + tile] = sum + before;
        if (index == kGroupSize - 1u) chunk_total = before + count;
        barrier();
        sum += chunk_total;
        barrier(); // before the sums are written anew
    }
    if (index == 0u) totals.words[gl_WorkGroupID.x] = sum;
}
