#version 460
// Turns the counts of a digit into sums over the tiles before, a group for each digit.
#define KEY_WORDS 1
#include "primitives/radix_shape.glsl"

layout(constant_id = 13) const uint tile_elements = 4096u;

buffer Offsets { uint words[]; } offsets;
writeonly buffer Totals { uint words[]; } totals;

shared uint chunk_total;

void main() {
    uint row = gl_WorkGroupID.x * tiles_of(params.most, tile_elements);
    uint tiles = tiles_of(element_count(), tile_elements);
    uint index = own_index();
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
